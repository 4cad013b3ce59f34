/** The SPF record of the host, which the records of all domains include. */
import { describeDnsFailure } from '../../domains/advice.ts';
import { hostSpfValue } from '../../domains/dns-records.ts';
import { isRelayed } from '../../domains/senders.ts';
import { fetchSpf } from '../../domains/spf.ts';
import { networkOf } from '../../domains/spf-fit.ts';
import { checkHost, MAX_LOOKUPS, type SpfLookups } from '../../protocols/dns/spf-check-host.ts';
import { spfCost } from '../../protocols/dns/spf-cost.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { dnsRecordLine, type Observation, quoted } from '../finding.ts';
import { knownAddresses, publicHostName } from './known-host.ts';

interface HostSpfFacts {
  readonly host: string;
  readonly record: Awaited<ReturnType<typeof fetchSpf>>;
  /** The sending addresses; empty behind a relay whose addresses are not configured. */
  readonly sending: readonly string[];
  readonly isRelayed: boolean;
  /** DNS lookups needed to evaluate the whole record. */
  readonly lookups: number;
  /** The first sending address that the record does not allow, or that DNS could not decide. */
  readonly uncovered: { readonly address: string; readonly isKnown: boolean } | null;
}

export const hostSpfCheck = doctorCheck({
  name: 'host_spf',
  isQuick: true,
  needsDns: true,
  matters:
    'The SPF records of all domains include the record of this host: without it, no domain is verified.',
  gather: gatherHostSpf,
  judge: judgeHostSpf,
});

async function gatherHostSpf(context: DoctorContext): Promise<HostSpfFacts> {
  const host = publicHostName(context.config);
  const ask = spfLookups(context);
  const record = await fetchSpf(ask.txt, host);
  const relayed = isRelayed(context.config);
  if (record.kind !== 'found')
    return { host, record, sending: [], isRelayed: relayed, lookups: 0, uncovered: null };
  const [{ all }, { sending }] = await Promise.all([
    spfCost(ask.txt, record.record, host),
    knownAddresses(context, host),
  ]);
  const uncovered = await firstUncovered(ask, host, sending);
  return { host, record, sending, isRelayed: relayed, lookups: all, uncovered };
}

function spfLookups({ resolver }: DoctorContext): SpfLookups {
  return {
    txt: (name) => resolver.txt(name, DOCTOR_LOOKUP),
    a: (name) => resolver.a(name, DOCTOR_LOOKUP),
    aaaa: (name) => resolver.aaaa(name, DOCTOR_LOOKUP),
    mx: (name) => resolver.mx(name, DOCTOR_LOOKUP),
    ptr: (address) => resolver.ptr(address, DOCTOR_LOOKUP),
  };
}

/** A match by `all` does not count, because it allows any address. */
async function firstUncovered(ask: SpfLookups, host: string, addresses: readonly string[]) {
  for (const address of addresses) {
    const question = { address, domain: host, sender: `postmaster@${host}`, helo: host };
    const { result, byAll } = await checkHost(ask, question);
    if (result !== 'pass' || byAll) return { address, isKnown: result !== 'temperror' };
  }
  return null;
}

function judgeHostSpf(facts: HostSpfFacts): Observation[] {
  const { host, record, lookups } = facts;
  if (record.kind === 'unavailable')
    return [{ level: 'unknown', seen: describeDnsFailure(record.at, record.code) }];
  const publish = `Publish: ${dnsRecordLine(host, 'TXT', hostSpfValue())}`;
  if (record.kind !== 'found') return [{ level: 'bad', seen: missing(host, record), fix: publish }];
  // The include of this record costs one lookup more.
  if (lookups + 1 > MAX_LOOKUPS) {
    const seen = `The SPF record of ${host} needs ${lookups} DNS lookups, too many for records that include it: receivers stop at ${MAX_LOOKUPS}.`;
    return [{ level: 'bad', seen, fix: withoutLookups(facts) }];
  }
  return judgeCover(facts, record.text);
}

/** Literal addresses need no lookup; if they are unknown, the host's own cost two. */
function withoutLookups({ host, sending }: HostSpfFacts): string {
  const value = sending.length === 0 ? hostSpfValue() : `v=spf1 ${sending.map(networkOf).join(' ')} -all`;
  const others =
    'If other machines send for this host, add their addresses with ip4: and ip6:, not their names.';
  return `Publish instead: ${dnsRecordLine(host, 'TXT', value)} ${others}`;
}

function judgeCover(
  { host, sending, isRelayed: relayed, uncovered }: HostSpfFacts,
  text: string,
): Observation[] {
  if (sending.length === 0 && !relayed) {
    const seen = `Whether the SPF record of ${host} is right is not known: ${host} has no address in DNS that mail is sent from.`;
    return [{ level: 'unknown', seen }];
  }
  if (uncovered === null)
    return [{ level: 'ok', seen: `The SPF record of ${host} is right: ${quoted(text)}.` }];
  const { address, isKnown } = uncovered;
  if (!isKnown)
    return [
      { level: 'unknown', seen: `DNS did not say whether the SPF record of ${host} allows ${address}.` },
    ];
  const seen = `The SPF record of ${host} does not allow ${address}, from which mail is sent: ${quoted(text)}.`;
  return [{ level: 'bad', seen, fix: `Add ${networkOf(address)} to it.` }];
}

function missing(
  host: string,
  record: Exclude<HostSpfFacts['record'], { kind: 'found' | 'unavailable' }>,
): string {
  switch (record.kind) {
    case 'missing':
      return `${host} has no SPF record.`;
    case 'several':
      return `${host} has ${record.records.length} SPF records, and receivers then use none of them.`;
    case 'malformed':
      return `The SPF record of ${host} has an error at ${quoted(record.term)}: ${record.problem}.`;
  }
}
