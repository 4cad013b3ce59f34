/**
 * DNS facts about a domain's mail, for the checks. Two rounds: MX and addresses of the domain in parallel; then the
 * addresses of its mail hosts, in order of preference, until a reachable one is found.
 */
import { isIP } from 'node:net';
import type { Answer, MxRecord } from '../protocols/dns/answer.ts';
import type { Resolver } from '../protocols/dns/resolver.ts';

type MailHostState = 'routable' | 'unroutable' | 'unknown';

export type DomainFacts =
  /** Decided without a query. */
  | { readonly kind: 'special_use' }
  /** Mail is delivered to this installation's sandbox. */
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'literal' }
  | {
      readonly kind: 'asked';
      readonly mx: Answer<MxRecord>;
      readonly addresses: Answer<string>;
      /** Whether any mail host has a reachable address. */
      readonly hosts: MailHostState;
    };

export type Routable = (address: string) => boolean;

const UNASKED = { kind: 'unavailable', code: 'ETIMEOUT' } as const;
export const NOT_LOOKED_UP: DomainFacts = {
  kind: 'asked',
  mx: UNASKED,
  addresses: UNASKED,
  hosts: 'unknown',
};

/** Bounds the queries that a domain with hundreds of hosts can cause. */
const MAX_HOSTS = 5;

export async function lookUpDomain(
  resolver: Resolver,
  domain: string,
  routable: Routable,
  leftMs: () => number,
): Promise<DomainFacts> {
  const budget = () => ({ deadlineMs: Math.max(1, leftMs()) });
  if (leftMs() <= 0) return NOT_LOOKED_UP;
  const [mx, addresses] = await Promise.all([
    resolver.mx(domain, budget()),
    resolver.addresses(domain, budget()),
  ]);
  if (mx.kind !== 'found') return { kind: 'asked', mx, addresses, hosts: stateOf(addresses, routable) };
  const hosts = await findRoutable(resolver, namesOf(mx.records), routable, leftMs);
  return { kind: 'asked', mx: { kind: 'found', records: inOrder(mx.records) }, addresses, hosts };
}

/** Keeps the null MX, whose meaning depends on whether it is the only record. */
function inOrder(records: readonly MxRecord[]): MxRecord[] {
  return records.toSorted(
    (one, other) => one.priority - other.priority || (one.exchange < other.exchange ? -1 : 1),
  );
}

function namesOf(records: readonly MxRecord[]): string[] {
  const names = inOrder(records).map((record) => record.exchange);
  return [...new Set(names)].filter((name) => name !== '' && isIP(name) === 0).slice(0, MAX_HOSTS);
}

async function findRoutable(
  resolver: Resolver,
  names: readonly string[],
  routable: Routable,
  leftMs: () => number,
): Promise<MailHostState> {
  let doubt = false;
  for (const name of names) {
    const state = leftMs() > 0 ? await hostState(resolver, name, routable, leftMs()) : 'unknown';
    if (state === 'routable') return 'routable';
    doubt ||= state === 'unknown';
  }
  return doubt ? 'unknown' : 'unroutable';
}

/** Nearly every mail host has an IPv4 address; IPv6 is queried only if there is none. */
async function hostState(
  resolver: Resolver,
  name: string,
  routable: Routable,
  deadlineMs: number,
): Promise<MailHostState> {
  const ipv4 = await resolver.a(name, { deadlineMs });
  const state = stateOf(ipv4, routable);
  if (state === 'routable' || ipv4.kind === 'nxdomain') return state;
  const ipv6 = stateOf(await resolver.aaaa(name, { deadlineMs }), routable);
  return ipv6 === 'unroutable' ? state : ipv6;
}

function stateOf(answer: Answer<string>, routable: Routable): MailHostState {
  if (answer.kind === 'unavailable') return 'unknown';
  return answer.kind === 'found' && answer.records.some(routable) ? 'routable' : 'unroutable';
}
