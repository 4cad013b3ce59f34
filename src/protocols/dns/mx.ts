/** Finds the hosts that accept mail for a domain, in the order to try them (RFC 5321 section 5, RFC 7505). */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Answer, MxRecord } from './answer.ts';
import type { Resolver } from './resolver.ts';
import type { HostTlsa, LookupTlsa } from './tlsa-lookup.ts';

export interface MailHost {
  readonly host: string;
  readonly preference: number;
  readonly addresses: readonly string[];
  /**
   * The host's TLSA records; missing when they were not requested, or when the host's identity is not
   * validated.
   */
  readonly tlsa?: HostTlsa;
}

/**
 * - `nxdomain`          the domain does not exist
 * - `null_mx`           the domain says that it takes no mail
 * - `no_addresses`      the domain exists, its mail hosts (or the domain itself) have no address
 * - `refused_addresses` it has addresses, and the caller accepted none of them
 * - `unavailable`       DNS did not answer, so none of the above is known
 */
export type MailHostsProblem = 'nxdomain' | 'null_mx' | 'no_addresses' | 'refused_addresses' | 'unavailable';

export type MailHosts =
  | {
      readonly kind: 'found';
      readonly hosts: readonly MailHost[];
      /** True when the domain has no MX record and is its own mail host. */
      readonly implicit: boolean;
      /** The DNS answer was validated. */
      readonly secure: boolean;
      /**
       * The names by which certificates may identify the domain's hosts: the domain itself, and the target of
       * its alias.
       */
      readonly names: readonly string[];
    }
  | { readonly kind: 'none'; readonly problem: MailHostsProblem; readonly detail: string };

export interface MailHostOptions {
  /** Returns numbers from 0 to below 1, like Math.random. */
  readonly random: () => number;
  /** Default `never`: sending over IPv6 needs a sending address with its own reverse DNS. */
  readonly ipv6?: 'never' | 'last' | 'first' | 'only';
  readonly accepts?: (address: string) => boolean;
  /** Called for hosts from a validated DNS answer. */
  readonly tlsa?: LookupTlsa | undefined;
}

/** For all hosts together: if five addresses fail, a sixth rarely succeeds. */
const MAX_ADDRESSES = 5;
/** Limits lookups for domains that list hundreds of hosts. */
const MAX_HOSTS = 10;

export async function lookupMailHosts(
  resolver: Resolver,
  domain: string,
  options: MailHostOptions,
): Promise<MailHosts> {
  if (domain.startsWith('[')) return literalHost(domain, options);
  const mx = await resolver.mx(domain);
  switch (mx.kind) {
    case 'nxdomain':
      return none('nxdomain', `The domain ${domain} does not exist.`);
    case 'unavailable':
      return none('unavailable', `DNS did not answer for the MX records of ${domain} (${mx.code}).`);
    case 'none':
      return resolveHosts(resolver, domain, [{ exchange: domain, priority: 0 }], mx, options);
    case 'found':
      return explicitHosts(resolver, domain, mx, options);
  }
}

/** The host names alone, with one DNS query. Null when there are none, or when DNS did not answer. */
export async function lookupMailHostNames(
  resolver: Resolver,
  domain: string,
): Promise<readonly string[] | null> {
  if (domain.startsWith('[')) return [domain];
  const mx = await resolver.mx(domain);
  if (mx.kind === 'none') return [domain];
  if (mx.kind !== 'found') return null;
  const names = mx.records.map((record) => record.exchange).filter((name) => name !== '' && isIP(name) === 0);
  return names.length === 0 ? null : names;
}

const LITERAL: Listed = { kind: 'found', records: [] };

function literalHost(domain: string, options: MailHostOptions): MailHosts {
  const address = /^\[(?:IPv6:)?([0-9a-f:.]+)\]$/i.exec(domain)?.[1] ?? '';
  if (isIP(address) === 0) return none('nxdomain', `${domain} is not an address.`);
  if (isIPv6(address) && !wantsIPv6(options)) {
    return none('no_addresses', `${domain} can only be reached over IPv6, which is off.`);
  }
  const found: Resolved = { host: address, preference: 0, answer: { kind: 'found', records: [address] } };
  return pickAddresses(domain, [found], LITERAL, options);
}

/** The answer for a domain with hosts: its MX records, or none, in which case the domain is its own host. */
type Listed = Extract<Answer<MxRecord>, { readonly kind: 'found' | 'none' }>;

async function explicitHosts(
  resolver: Resolver,
  domain: string,
  mx: Listed & { readonly kind: 'found' },
  options: MailHostOptions,
): Promise<MailHosts> {
  // An empty exchange beside others is an error in the zone, not a null MX.
  const named = mx.records.filter((record) => record.exchange !== '');
  if (named.length === 0) return none('null_mx', `The domain ${domain} accepts no mail (null MX).`);
  const hosts = named.filter((record) => isIP(record.exchange) === 0);
  if (hosts.length === 0) {
    return none('no_addresses', `The MX records of ${domain} hold addresses instead of host names.`);
  }
  return resolveHosts(resolver, domain, inTryOrder(hosts, options.random), mx, options);
}

/** Hosts of equal preference share the load, hence the shuffle; the sort is stable and keeps it. */
function inTryOrder(records: readonly MxRecord[], random: () => number): readonly MxRecord[] {
  return shuffle(records, random).sort((one, other) => one.priority - other.priority);
}

function shuffle<T>(list: readonly T[], random: () => number): T[] {
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen] as T, shuffled[last] as T];
  }
  return shuffled;
}

interface Resolved {
  readonly host: string;
  readonly preference: number;
  readonly answer: Answer<string>;
  readonly tlsa?: HostTlsa | undefined;
}

async function resolveHosts(
  resolver: Resolver,
  domain: string,
  records: readonly MxRecord[],
  mx: Listed,
  options: MailHostOptions,
): Promise<MailHosts> {
  const resolved = await Promise.all(
    records.slice(0, MAX_HOSTS).map(async ({ exchange, priority }): Promise<Resolved> => {
      const answer = await (wantsIPv6(options) ? resolver.addresses(exchange) : resolver.a(exchange));
      const tlsa = mx.secure === true ? await options.tlsa?.(exchange, answer) : undefined;
      return { host: exchange, preference: priority, answer, tlsa };
    }),
  );
  return pickAddresses(domain, resolved, mx, options);
}

function wantsIPv6(options: MailHostOptions): boolean {
  return (options.ipv6 ?? 'never') !== 'never';
}

function pickAddresses(
  domain: string,
  resolved: readonly Resolved[],
  mx: Listed,
  options: MailHostOptions,
): MailHosts {
  const seen = new Set<string>();
  const accepts = (address: string): boolean => {
    if (seen.has(address) || options.accepts?.(address) === false) return false;
    seen.add(address);
    return true;
  };
  const hosts = resolved.map(({ host, preference, answer, tlsa }) => ({
    host,
    preference,
    addresses: answer.kind === 'found' ? inFamilyOrder(answer.records, options).filter(accepts) : [],
    ...(tlsa === undefined ? {} : { tlsa }),
  }));
  const usable = shareLimit(hosts.filter((one) => one.addresses.length > 0));
  const names = mx.kind === 'found' && mx.alias !== undefined ? [domain, mx.alias] : [domain];
  if (usable.length > 0) {
    const secure = mx.secure === true;
    return { kind: 'found', hosts: usable, implicit: mx.kind === 'none', secure, names };
  }
  return whyNone(domain, resolved, options);
}

function inFamilyOrder(addresses: readonly string[], options: MailHostOptions): readonly string[] {
  const shuffled = shuffle(addresses, options.random);
  const ipv4 = shuffled.filter(isIPv4);
  const ipv6 = shuffled.filter(isIPv6);
  if (options.ipv6 === 'only') return ipv6;
  return options.ipv6 === 'first' ? [...ipv6, ...ipv4] : [...ipv4, ...ipv6];
}

/** Takes addresses in rounds, so that a first host with many addresses leaves room for its backup. */
function shareLimit(hosts: readonly MailHost[]): readonly MailHost[] {
  const shares = hosts.map(() => 0);
  let left = MAX_ADDRESSES;
  for (let round = 1; round <= MAX_ADDRESSES; round += 1) {
    hosts.forEach((one, at) => {
      if (left === 0 || one.addresses.length < round) return;
      shares[at] = round;
      left -= 1;
    });
  }
  return hosts
    .map((one, at) => ({ ...one, addresses: one.addresses.slice(0, shares[at]) }))
    .filter((one) => one.addresses.length > 0);
}

/** If DNS did not answer for one host, delivery waits, because that host may work. */
function whyNone(domain: string, resolved: readonly Resolved[], options: MailHostOptions): MailHosts {
  const names = resolved.map((one) => one.host).join(', ');
  for (const { host, answer } of resolved) {
    if (answer.kind !== 'unavailable') continue;
    return none('unavailable', `DNS did not answer for the address of ${host} (${answer.code}).`);
  }
  const refused = resolved.flatMap(({ answer }) =>
    answer.kind === 'found' ? inFamilyOrder(answer.records, options) : [],
  );
  if (refused.length > 0) {
    return none('refused_addresses', `Mail for ${domain} would go to ${refused.join(', ')} (${names}).`);
  }
  const what =
    options.ipv6 === 'only' ? 'no IPv6 address' : wantsIPv6(options) ? 'no address' : 'no IPv4 address';
  return none('no_addresses', `No host for ${domain} has an address: ${what} for ${names}.`);
}

function none(problem: MailHostsProblem, detail: string): MailHosts {
  return { kind: 'none', problem, detail };
}
