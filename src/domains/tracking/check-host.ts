/** Whether a customer's tracking host leads to us: by DNS, and over https. Nothing is stored here. */
import type { LookupOptions, Resolver } from '../../kit/dns/resolver.ts';
import type { ProbeLink } from '../../kit/fetch/probe-link.ts';
import { PIXEL_PATH, PIXEL_SUFFIX } from '../../kit/message/tracking-links.ts';
import { describeDnsFailure } from '../dns-failure.ts';
import type { HostCheck } from './store.ts';

export interface HostCheckDeps {
  readonly resolver: Pick<Resolver, 'cname'>;
  readonly probe: ProbeLink;
  /** Of the installation. */
  readonly publicUrl: string;
  /** Whether links in mail are of any use to recipients; if not, no host is asked about. */
  readonly isUsed: boolean;
}

export interface CheckedHost {
  /** Null where nobody knows, which changes nothing. */
  readonly points: boolean | null;
  readonly verified: boolean | null;
  readonly check: HostCheck;
}

const LOOKUP: LookupOptions = { fresh: true, deadlineMs: 5_000 };
const PROBE_MS = 10_000;
/** A pixel of nobody's: everybody gets the image, and nothing is noted. */
const PROBED = `${PIXEL_PATH}check${PIXEL_SUFFIX}`;
const MAX_SHOWN = 5;

/** Where links on it begin: as at the installation's own address, but for the host. */
export function urlOfHost(host: string, publicUrl: string): string {
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.origin;
}

export async function checkTrackingHost(deps: HostCheckDeps, host: string): Promise<CheckedHost> {
  const { resolver, probe, publicUrl, isUsed } = deps;
  const expected = new URL(publicUrl).hostname;
  const said = (status: HostCheck['status'], found: readonly string[], message: string): HostCheck => ({
    status,
    expected,
    found: found.slice(0, MAX_SHOWN).map(printable),
    message: printable(message),
  });
  if (!isUsed) return { points: false, verified: false, check: said('pending', [], UNUSED) };
  const answer = await resolver.cname(host, LOOKUP);
  if (answer.kind === 'unavailable')
    return {
      points: null,
      verified: null,
      check: said('unknown', [], describeDnsFailure(host, answer.code)),
    };
  const found = answer.kind === 'found' ? answer.records : [];
  if (!found.includes(expected)) {
    const message = `Publish a CNAME record at ${host} with the value: ${expected}`;
    return { points: false, verified: false, check: said('fail', found, message) };
  }
  const url = urlOfHost(host, publicUrl);
  const problem = await problemAt(probe, url + PROBED);
  if (problem === null)
    return {
      points: true,
      verified: true,
      check: said('pass', found, `Links of mail from the domain are at ${url}.`),
    };
  const message = `The record is right, but ${url} cannot be used: ${problem}. The proxy in front of this installation has to answer for the host, with a certificate.`;
  return { points: true, verified: false, check: said('fail', found, message) };
}

const UNUSED =
  'Not checked: in the sandbox, and while POSTRIDER_PUBLIC_URL cannot be reached by others, no host is used.';

async function problemAt(probe: ProbeLink, url: string): Promise<string | null> {
  const { status, leadsTo, error } = await probe(url, AbortSignal.timeout(PROBE_MS));
  if (leadsTo !== null) return `it redirects to ${leadsTo}`;
  return status === 200 ? null : (error ?? `it answers ${status}`);
}

/** Others write some of these texts. */
function printable(text: string): string {
  return text.slice(0, 1_000).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
}
