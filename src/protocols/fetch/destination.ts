/**
 * Decides where third-party URLs may lead: webhooks, and files to attach. Their author must not be able to
 * make this service connect to its own machine or network. The same rules apply when a URL is saved and, to
 * the resolved address, at every attempt.
 */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Config } from '../../runtime/config.ts';
import { isPublicAddress } from '../dns/public-address.ts';
import type { Resolver } from '../dns/resolver.ts';

export interface DestinationRules {
  readonly plainHttp: boolean;
  readonly loopback: boolean;
  readonly privateNetworks: boolean;
  /** The installation's own ports, which no URL may use on any address of this machine. */
  readonly ownPorts: ReadonlySet<number>;
  /** Ports of PostgreSQL and its pooler, which may be on other machines of a private network. */
  readonly databasePorts: readonly number[];
}

/**
 * In the sandbox, URLs may lead to this machine and use http, so that they can be tested without a
 * certificate.
 */
export function destinationRules(
  { mode, allowPrivateDestinations }: Pick<Config, 'mode' | 'allowPrivateDestinations'>,
  own: Pick<DestinationRules, 'ownPorts' | 'databasePorts'>,
): DestinationRules {
  return {
    ...own,
    plainHttp: mode === 'sandbox',
    loopback: mode === 'sandbox' || allowPrivateDestinations,
    privateNetworks: allowPrivateDestinations,
  };
}

const MAX_URL_CHARS = 2048;

/** The problem of a URL before any lookup, or null. `example` shows a valid one. */
export function urlProblem(text: string, rules: DestinationRules, example: string): string | null {
  if (text.length > MAX_URL_CHARS) return `must not be longer than ${MAX_URL_CHARS} characters`;
  if (!URL.canParse(text)) return `must be a URL such as ${example}`;
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && rules.plainHttp))
    return rules.plainHttp ? 'must begin with https:// or http://' : 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '') return 'must not contain a fragment (#…)';
  return null;
}

type Destination =
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  /** The destination is forbidden; `why` follows after the URL. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable' };

/** Refused addresses are omitted if others remain. */
export async function findDestination(
  url: URL,
  resolver: Pick<Resolver, 'addresses'>,
  rules: DestinationRules,
): Promise<Destination> {
  const host = hostOf(url);
  const answer = await addressesOf(host, resolver);
  if (answer.kind !== 'found') return { kind: answer.kind === 'unavailable' ? 'unavailable' : 'unknown' };
  const port = portOf(url);
  const addresses = answer.records.filter((address) => refusalOf(address, port, rules) === null);
  if (addresses.length > 0) return { kind: 'found', addresses };
  return { kind: 'refused', why: refusalOf(answer.records[0] ?? host, port, rules) ?? 'leads nowhere' };
}

/** For URLs with an IP address, which are not resolved; null for names, and for permitted addresses. */
export function refusalOfAddress(url: URL, rules: DestinationRules): string | null {
  const host = hostOf(url);
  return isIP(host) === 0 ? null : refusalOf(host, portOf(url), rules);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** localhost is resolved locally, because DNS does not know it. */
function addressesOf(host: string, resolver: Pick<Resolver, 'addresses'>) {
  if (isIP(host) !== 0) return { kind: 'found' as const, records: [host] };
  if (/^(.+\.)?localhost\.?$/i.test(host)) return { kind: 'found' as const, records: ['127.0.0.1', '::1'] };
  return resolver.addresses(host);
}

function refusalOf(address: string, port: number, rules: DestinationRules): string | null {
  if (!isAllowed(address, rules)) return `resolves to ${address}, which is not a public address`;
  return isOwn(address, port, rules) ? `uses port ${port}, where this installation itself listens` : null;
}

function isAllowed(address: string, rules: DestinationRules): boolean {
  if (rules.privateNetworks) return isIP(address) !== 0;
  return isPublicAddress(address) || (rules.loopback && isLoopback(address));
}

function isOwn(address: string, port: number, { ownPorts, databasePorts }: DestinationRules): boolean {
  if (databasePorts.includes(port) && !isPublicAddress(address)) return true;
  return ownPorts.has(port) && isThisMachine(address);
}

/** Not cached, because it is only needed for our own ports. */
function isThisMachine(address: string): boolean {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addSubnet('0.0.0.0', 8, 'ipv4'); // on Linux, this host
  own.addSubnet('::', 127, 'ipv6'); // unspecified, and loopback
  for (const one of Object.values(networkInterfaces()).flat())
    if (one) own.addAddress(one.address, one.family === 'IPv6' ? 'ipv6' : 'ipv4');
  return own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
