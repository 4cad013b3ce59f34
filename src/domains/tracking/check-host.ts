/**
 * Checks whether a customer's tracking host leads to this installation: DNS points to us, and this installation
 * answers under the host's name. Stores nothing.
 */
import type { LookupOptions, Resolver } from '../../protocols/dns/resolver.ts';
import type { ProbeLink } from '../../protocols/fetch/probe-link.ts';
import { HOST_PATH } from '../../protocols/message/tracking-links.ts';
import { describeDnsFailure } from '../advice.ts';
import type { HostCheck } from './store.ts';

export interface HostCheckDeps {
  readonly resolver: Pick<Resolver, 'cname'>;
  readonly probe: ProbeLink;
  readonly publicUrl: string;
  /** A value that only this installation can compute for a host, and serves there. */
  readonly proofOf: (host: string) => string;
  /** Whether recipients can reach tracked links; if not, no host is checked. */
  readonly isUsed: boolean;
}

/** Null when the lookup failed, which changes nothing. */
interface TrackingHostFinding {
  readonly is: boolean | null;
  readonly check: HostCheck;
}

const LOOKUP: LookupOptions = { fresh: true, deadlineMs: 5_000 };
/** A proxy may obtain the certificate during the first request. */
const PROBE_MS = 15_000;
/** About the limit of resolvers; stops at circular aliases. */
const MAX_ALIASES = 8;

/** The base of links on the host: the installation's public URL with the host replaced. */
export function urlOfHost(host: string, publicUrl: string): string {
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.origin;
}

/** Whether the host's DNS record leads to us. */
export async function lookUpHost(deps: HostCheckDeps, host: string): Promise<TrackingHostFinding> {
  const expected = nameOf(deps.publicUrl);
  if (!deps.isUsed) return { is: false, check: hostCheck('pending', expected, [], UNUSED) };
  const { found, failure } = await followAliases(deps.resolver, host, expected);
  if (failure !== null) return { is: null, check: hostCheck('unknown', expected, found, failure) };
  if (found.includes(expected))
    return { is: true, check: hostCheck('pending', expected, found, 'The record is right.') };
  const message = `Publish a CNAME record at ${host} with the value: ${expected}`;
  return { is: false, check: hostCheck('fail', expected, found, message) };
}

/** Follows the chain of CNAME records, because many hosts are an alias of an alias. */
async function followAliases(
  resolver: HostCheckDeps['resolver'],
  host: string,
  expected: string,
): Promise<{ readonly found: readonly string[]; readonly failure: string | null }> {
  const found: string[] = [];
  let name: string | undefined = host;
  while (name !== undefined && name !== expected && found.length < MAX_ALIASES) {
    const answer = await resolver.cname(name, LOOKUP);
    if (answer.kind === 'unavailable') return { found, failure: describeDnsFailure(name, answer.code) };
    name = answer.kind === 'found' ? answer.records[0] : undefined;
    if (name !== undefined) found.push(name);
  }
  return { found, failure: null };
}

/** Whether links on the host would work: it must answer without a redirect, as this installation under that name. */
export async function probeHost(deps: HostCheckDeps, host: string): Promise<TrackingHostFinding> {
  const expected = nameOf(deps.publicUrl);
  const url = urlOfHost(host, deps.publicUrl);
  const problem = await problemAt(deps.probe, `${url}${HOST_PATH}${deps.proofOf(host)}`);
  if (problem === null)
    return {
      is: true,
      check: hostCheck('pass', expected, [expected], `Links of mail from the domain are at ${url}.`),
    };
  const message = `The record is right, but ${url} cannot be used yet: ${problem}. The proxy in front of this installation has to answer for the host with a certificate, and pass on the name that was asked for.`;
  return { is: false, check: hostCheck('fail', expected, [expected], message) };
}

const UNUSED =
  'Not checked: in the sandbox, and while POSTRIDER_PUBLIC_URL cannot be reached by others, no host is used.';

async function problemAt(probe: ProbeLink, url: string): Promise<string | null> {
  const { status, leadsTo, error } = await probe(url, AbortSignal.timeout(PROBE_MS));
  if (leadsTo !== null) return `it redirects to ${leadsTo}`;
  return status === 200 ? null : (error ?? `it answers ${status}`);
}

function nameOf(publicUrl: string): string {
  return new URL(publicUrl).hostname;
}

function hostCheck(
  status: HostCheck['status'],
  expected: string,
  found: readonly string[],
  message: string,
): HostCheck {
  return { status, expected, found: found.map(printable), message: printable(message) };
}

/** DNS and servers of others supply some of these texts. */
function printable(text: string): string {
  return text.slice(0, 1_000).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
}
