/**
 * Whether receivers will accept mail from this machine: its name, its addresses, its SPF record, its reverse DNS, and
 * the URL that links in mail point to. It looks up DNS; the caller decides what follows.
 */
import { isIPv4 } from 'node:net';
import type { Answer } from '../../kit/dns/answer.ts';
import { isPublicAddress } from '../../kit/dns/public-address.ts';
import type { LookupOptions, Resolver } from '../../kit/dns/resolver.ts';
import { checkHost, MAX_LOOKUPS } from '../../kit/dns/spf-check-host.ts';
import { spfCost } from '../../kit/dns/spf-cost.ts';
import type { Config } from '../../kit/runtime/config.ts';
import { publicUrlProblem } from '../../kit/runtime/public-url.ts';
import { describeDnsFailure } from '../dns-failure.ts';
import { hostSpfValue } from '../dns-records.ts';
import { isRelayed, sendingAddresses } from '../senders.ts';
import { fetchSpf } from '../spf.ts';
import { networkOf } from '../spf-advice.ts';

export const SUBJECTS = ['name', 'address', 'spf', 'reverse_dns', 'public_url'] as const;

export interface HostFinding {
  readonly about: (typeof SUBJECTS)[number];
  /** `fail`: mail is refused or lost. `warn`: some of it is, or something is off. `unknown`: DNS did not answer. */
  readonly status: 'pass' | 'warn' | 'fail' | 'unknown';
  readonly message: string;
}

export type HostSetUp = Pick<
  Config,
  | 'hostname'
  | 'sendingAddresses'
  | 'ipv6'
  | 'relayUrl'
  | 'relayDomains'
  | 'publicUrl'
  | 'allowPrivateDestinations'
>;

/** The longest that one lookup takes. */
const HOW: LookupOptions = { fresh: true, deadlineMs: 3_000 };

/** `leavesFrom`: the address that this machine gives its packets, where it is known. */
export async function checkSendingHost(
  resolver: Resolver,
  setUp: HostSetUp,
  leavesFrom: string | null,
): Promise<HostFinding[]> {
  const name = aboutName(setUp);
  const url = aboutUrl(setUp.publicUrl);
  if (name.status !== 'pass') return [name, url];
  const [answer, addresses] = await Promise.all([
    resolver.addresses(setUp.hostname, HOW),
    sendingAddresses(resolver, setUp, HOW),
  ]);
  const [spf, reverse] = await Promise.all([
    aboutSpf(resolver, setUp, addresses),
    isRelayed(setUp)
      ? []
      : Promise.all(addresses.filter(isPublicAddress).map((one) => aboutReverse(resolver, one))),
  ]);
  return [name, aboutAddress(setUp, answer, addresses, leavesFrom), spf, ...reverse, url];
}

/** What a live start must not get past; null otherwise. Behind a relay, or in a private network, it is for others to mind. */
export function refusalOf(findings: readonly HostFinding[], setUp: HostSetUp): string | null {
  if (setUp.allowPrivateDestinations || isRelayed(setUp)) return null;
  const grave = findings.find(
    ({ about, status }) => status === 'fail' && (about === 'name' || about === 'address'),
  );
  return grave?.message ?? null;
}

const ONLY_HERE = /(^|\.)(localhost|local|localdomain|internal|lan|home|home\.arpa|intranet)$/;

function aboutName({ hostname }: HostSetUp): HostFinding {
  const host = hostname.toLowerCase();
  const about = 'name';
  const isQualified = host.includes('.') && !/(^|\.)\d+$/.test(host) && !ONLY_HERE.test(host);
  if (isQualified) return { about, status: 'pass', message: `${host} is a public host name.` };
  return {
    about,
    status: 'fail',
    message: `The host name "${host}" is not fully qualified: mail servers refuse senders that use it, and the SPF record of every domain would have to include it. Set POSTRIDER_HOSTNAME to the public name of this machine, such as mail.example.org.`,
  };
}

function aboutAddress(
  { hostname }: HostSetUp,
  answer: Answer<string>,
  sending: readonly string[],
  leavesFrom: string | null,
): HostFinding {
  const about = 'address';
  if (answer.kind === 'unavailable')
    return { about, status: 'unknown', message: describeDnsFailure(hostname, answer.code) };
  if (answer.kind !== 'found') {
    const message = `The host name ${hostname} has no address in DNS: receivers refuse it, and bounces cannot come back. Publish an A record for it, or set POSTRIDER_HOSTNAME to the name of this machine.`;
    return { about, status: 'fail', message };
  }
  if (
    leavesFrom !== null &&
    sending.length > 0 &&
    isPublicAddress(leavesFrom) &&
    !sending.includes(leavesFrom)
  ) {
    const message = `This machine sends from ${leavesFrom}, and its mail is expected from ${sending.join(', ')}. Point the A record of ${hostname} to ${leavesFrom}, or list all addresses in POSTRIDER_SENDING_ADDRESSES.`;
    return { about, status: 'warn', message };
  }
  return { about, status: 'pass', message: `${hostname} has the address ${answer.records.join(', ')}.` };
}

async function aboutSpf(
  resolver: Resolver,
  { hostname }: HostSetUp,
  addresses: readonly string[],
): Promise<HostFinding> {
  const about = 'spf';
  const host = hostname.toLowerCase();
  const found = await fetchSpf((name) => resolver.txt(name, HOW), host);
  if (found.kind === 'unavailable')
    return { about, status: 'unknown', message: describeDnsFailure(found.at, found.code) };
  if (found.kind !== 'found') {
    const value = hostSpfValue();
    const message = `${host} needs exactly one valid SPF record, which the records of all domains include: none of them is verified without it. Publish a TXT record at ${host} with the value: ${value}`;
    return { about, status: 'fail', message };
  }
  // The include that leads to it costs one.
  const { all } = await spfCost((name) => resolver.txt(name, HOW), found.record, host);
  if (all + 1 > MAX_LOOKUPS) {
    const message = `The SPF record of ${host} needs ${all} DNS lookups, too many for records that include it: receivers stop at 10. Write it with ip4: and ip6: instead of names.`;
    return { about, status: 'fail', message };
  }
  const uncovered = await firstUncovered(resolver, host, addresses);
  if (uncovered !== null) {
    const message = `The SPF record of ${host} does not allow ${uncovered}, from which mail is sent: ${found.text} Add ${networkOf(uncovered)} to it.`;
    return { about, status: 'fail', message };
  }
  return { about, status: 'pass', message: `The SPF record of ${host} is right.` };
}

async function firstUncovered(
  resolver: Resolver,
  host: string,
  addresses: readonly string[],
): Promise<string | null> {
  const lookups = {
    txt: (name: string) => resolver.txt(name, HOW),
    a: (name: string) => resolver.a(name, HOW),
    aaaa: (name: string) => resolver.aaaa(name, HOW),
    mx: (name: string) => resolver.mx(name, HOW),
    ptr: (address: string) => resolver.ptr(address, HOW),
  };
  for (const address of addresses) {
    const about = { address, domain: host, sender: `postmaster@${host}`, helo: host };
    const { result, byAll } = await checkHost(lookups, about);
    if (result !== 'temperror' && (result !== 'pass' || byAll)) return address;
  }
  return null;
}

/** Large providers refuse mail from addresses without a name that leads back to them. */
async function aboutReverse(resolver: Resolver, address: string): Promise<HostFinding> {
  const about = 'reverse_dns';
  const names = await resolver.ptr(address, HOW);
  if (names.kind === 'unavailable')
    return { about, status: 'unknown', message: describeDnsFailure(address, names.code) };
  if (names.kind !== 'found') {
    const message = `${address} has no reverse DNS (PTR), and large providers refuse mail without it. Whoever gave you the address can set it to the host name.`;
    return { about, status: 'fail', message };
  }
  const forward = await Promise.all(
    names.records.map((name) => (isIPv4(address) ? resolver.a(name, HOW) : resolver.aaaa(name, HOW))),
  );
  const leadsBack = names.records.find((_name, at) => {
    const answer = forward[at];
    return answer?.kind === 'found' && answer.records.includes(address);
  });
  if (leadsBack !== undefined)
    return { about, status: 'pass', message: `${address} and ${leadsBack} point to each other.` };
  const message = `The reverse DNS of ${address} says ${names.records.join(', ')}, which does not point back to it, and large providers refuse such mail. Give the name that address, or set the reverse DNS to the host name.`;
  return { about, status: 'fail', message };
}

function aboutUrl(publicUrl: string): HostFinding {
  const problem = publicUrlProblem(publicUrl);
  if (problem !== null) return { about: 'public_url', status: 'warn', message: problem };
  return { about: 'public_url', status: 'pass', message: `Links in mail point to ${publicUrl}.` };
}
