/**
 * Where webhooks may go. Whoever names a URL must not be able to make this service talk to its own machine or
 * network; the same rules hold when an endpoint is saved and, for the very address connected to, at every attempt.
 */
import { isIP } from 'node:net';
import { isPublicAddress } from '../../dns/public-address.ts';
import type { Resolver } from '../../dns/resolver.ts';
import type { Config } from '../../runtime/config.ts';

export interface DestinationRules {
  readonly plainHttp: boolean;
  readonly loopback: boolean;
  readonly privateNetworks: boolean;
}

/** The sandbox reaches the machine it runs on, over http too, so that webhooks can be tried without a certificate. */
export function destinationRules({
  mode,
  allowPrivateDestinations,
}: Pick<Config, 'mode' | 'allowPrivateDestinations'>): DestinationRules {
  return {
    plainHttp: mode === 'sandbox',
    loopback: mode === 'sandbox' || allowPrivateDestinations,
    privateNetworks: allowPrivateDestinations,
  };
}

export const MAX_URL_CHARS = 2048;

/** What is wrong with a URL before anybody is asked about its host, or null. */
export function urlProblem(text: string, rules: DestinationRules): string | null {
  if (text.length > MAX_URL_CHARS) return `must not be longer than ${MAX_URL_CHARS} characters`;
  if (!URL.canParse(text)) return 'must be a URL such as https://example.org/hooks/mail';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && rules.plainHttp))
    return rules.plainHttp ? 'must begin with https:// or http://' : 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '') return 'must not contain a fragment (#…)';
  return null;
}

export type Destination =
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  /** It leads to where webhooks may not go. */
  | { readonly kind: 'refused'; readonly address: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable' };

/** `host` as it stands in a URL. Of several addresses the ones that are refused are left out. */
export async function findDestination(
  host: string,
  resolver: Pick<Resolver, 'addresses'>,
  rules: DestinationRules,
): Promise<Destination> {
  const answer = await addressesOf(host.replace(/^\[(.*)\]$/, '$1'), resolver);
  if (answer.kind !== 'found') return { kind: answer.kind === 'unavailable' ? 'unavailable' : 'unknown' };
  const addresses = answer.records.filter((address) => isAllowed(address, rules));
  if (addresses.length > 0) return { kind: 'found', addresses };
  return { kind: 'refused', address: answer.records[0] ?? host };
}

/** DNS knows nothing of localhost, and would be the wrong one to ask. */
function addressesOf(host: string, resolver: Pick<Resolver, 'addresses'>) {
  if (isIP(host) !== 0) return { kind: 'found' as const, records: [host] };
  if (/^(.+\.)?localhost\.?$/i.test(host)) return { kind: 'found' as const, records: ['127.0.0.1', '::1'] };
  return resolver.addresses(host);
}

export function isAllowed(address: string, rules: DestinationRules): boolean {
  if (rules.privateNetworks) return isIP(address) !== 0;
  return isPublicAddress(address) || (rules.loopback && isLoopback(address));
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
