/** Looks up the TLSA records of a mail host (RFC 7672 section 2.2). */
import type { Answer } from './answer.ts';
import type { TlsaRecord } from './tlsa.ts';
import type { ValidatingResolver } from './validating-resolver.ts';

export type HostTlsa =
  /** No validated records: the host is treated without DANE. */
  | { readonly kind: 'none' }
  /** `base` is the name of the records, and the one for SNI. */
  | { readonly kind: 'found'; readonly base: string; readonly records: readonly TlsaRecord[] }
  /** The lookup was inconclusive, so the host must not be used. */
  | { readonly kind: 'failed'; readonly detail: string };

export type LookupTlsa = (host: string, addresses: Answer<string>) => Promise<HostTlsa>;

type TlsaResolver = Pick<ValidatingResolver, 'tlsa' | 'cname'>;

export function createTlsaLookup(resolver: TlsaResolver, port: number): LookupTlsa {
  return async (host, addresses) => {
    for (const base of await basesOf(resolver, host, addresses)) {
      const name = `_${port}._tcp.${base}`;
      const found = await resolver.tlsa(name);
      if (found.kind === 'unavailable') {
        return {
          kind: 'failed',
          detail: `DNS did not answer for the TLSA records at ${name} (${found.code}).`,
        };
      }
      if (found.kind === 'found' && found.secure === true)
        return { kind: 'found', base, records: found.records };
    }
    return { kind: 'none' };
  };
}

/**
 * Hosts in unsigned zones are not queried, because some servers do not answer. For an alias, its target is
 * tried first, then the alias.
 */
async function basesOf(
  resolver: TlsaResolver,
  host: string,
  addresses: Answer<string>,
): Promise<readonly string[]> {
  if (addresses.kind !== 'found') return [];
  const { alias, secure } = addresses;
  if (secure === true) return alias === undefined ? [host] : [alias, host];
  if (alias === undefined) return [];
  const itself = await resolver.cname(host);
  return itself.kind === 'found' && itself.secure === true ? [host] : [];
}
