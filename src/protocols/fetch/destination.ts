/**
 * Where URLs that somebody gave us may lead: those of webhooks, and of files to attach. Whoever names a URL must not be able
 * to make this service talk to its own machine or network; the same rules hold when a URL is saved and, for the very
 * address connected to, at every attempt.
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
  /** Where this installation listens itself: no URL leads there, on whatever address of this machine. */
  readonly ownPorts: ReadonlySet<number>;
  /** Of its PostgreSQL and a pooler before it, which may be on other machines of a private network. */
  readonly databasePorts: readonly number[];
}

/** The sandbox reaches the machine it runs on, over http too, so that URLs can be tried without a certificate. */
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

export const MAX_URL_CHARS = 2048;

/** What is wrong with a URL before anybody is asked about its host, or null. `example`: what one looks like. */
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

export type Destination =
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  /** It leads to where none may; `why` follows after the URL. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable' };

/** Of several addresses the ones that are refused are left out. */
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

/** A URL whose host is an address, which nobody resolves any more; null for a name, and for what is allowed. */
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

/** DNS knows nothing of localhost, and would be the wrong one to ask. */
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

/** Asked only about our own ports, so what a machine's addresses are is not remembered. */
function isThisMachine(address: string): boolean {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addSubnet('0.0.0.0', 8, 'ipv4'); // this host, to Linux
  own.addSubnet('::', 127, 'ipv6'); // any, and loopback
  for (const one of Object.values(networkInterfaces()).flat())
    if (one) own.addAddress(one.address, one.family === 'IPv6' ? 'ipv6' : 'ipv4');
  return own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
