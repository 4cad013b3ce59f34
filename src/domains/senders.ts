/**
 * The addresses from which mail is sent, for checks of SPF records: the configured ones, or those of the sending
 * host. Behind a relay they are unknown unless configured.
 */
import type { LookupOptions, Resolver } from '../protocols/dns/resolver.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Senders } from './spf.ts';

export type SendingSetUp = Pick<
  Config,
  'hostname' | 'sendingAddresses' | 'ipv6' | 'relayUrl' | 'relayDomains'
>;

type Asking = Pick<Resolver, 'a' | 'aaaa' | 'mx' | 'ptr'>;

/** All mail goes through a relay, so receivers see the relay's address. */
export function isRelayed({ relayUrl, relayDomains }: SendingSetUp): boolean {
  return relayUrl !== undefined && relayDomains === undefined;
}

export async function sendingAddresses(
  resolver: Pick<Resolver, 'a' | 'aaaa'>,
  setUp: SendingSetUp,
  how?: LookupOptions,
): Promise<readonly string[]> {
  if (setUp.sendingAddresses !== undefined) return setUp.sendingAddresses;
  if (isRelayed(setUp)) return [];
  const answers = await Promise.all([
    resolver.a(setUp.hostname, how),
    ...(setUp.ipv6 ? [resolver.aaaa(setUp.hostname, how)] : []),
  ]);
  return answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []));
}

const LOOKUP_MS = 5_000;
/** The time limit for all address lookups of one check. */
const CHECK_MS = 10_000;

export function createSenders(resolver: Asking, setUp: SendingSetUp, clock: Clock): () => Promise<Senders> {
  return async () => {
    const untilMs = clock.nowMs() + CHECK_MS;
    const how = (): LookupOptions => ({
      fresh: true,
      deadlineMs: Math.max(1, Math.min(LOOKUP_MS, untilMs - clock.nowMs())),
    });
    return {
      addresses: await sendingAddresses(resolver, setUp, how()),
      lookups: {
        a: (name) => resolver.a(name, how()),
        aaaa: (name) => resolver.aaaa(name, how()),
        mx: (name) => resolver.mx(name, how()),
        ptr: (address) => resolver.ptr(address, how()),
      },
    };
  };
}
