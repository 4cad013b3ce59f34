/**
 * Queries DNS for a domain's records and describes the result. Stores nothing: verification-state.ts decides the
 * effect on the domain.
 */
import type { Answer } from '../protocols/dns/answer.ts';
import type { LookupOptions, Resolver } from '../protocols/dns/resolver.ts';
import type { Clock } from '../runtime/clock.ts';
import { adviseDkim, adviseDmarc, adviseSpf, describeDnsFailure, isRightSpf, proposedSpf } from './advice.ts';
import { type DkimVerdict, judgeDkim } from './dkim-record.ts';
import { findDmarc } from './dmarc.ts';
import {
  dkimName,
  dkimValue,
  dmarcName,
  dmarcValue,
  hostSpfValue,
  type PublishedDomain,
  spfValue,
} from './dns-records.ts';
import { evaluateSpf, fetchSpf, type LookUpTxt, type Senders, type SpfVerdict } from './spf.ts';
import { fitSpf } from './spf-fit.ts';

/**
 * `unknown`: DNS gave no answer. `warn`: should be fixed, but does not affect verification. `pending`: not checked
 * yet.
 */
export const DNS_CHECK_STATUSES = ['pass', 'fail', 'warn', 'unknown', 'pending'] as const;
export type DnsCheckStatus = (typeof DNS_CHECK_STATUSES)[number];

export const CHECKED_RECORDS = ['dkim', 'spf', 'dmarc', 'sending_host'] as const;

export interface DnsCheck {
  readonly record: (typeof CHECKED_RECORDS)[number];
  readonly status: DnsCheckStatus;
  readonly type: 'TXT';
  readonly name: string;
  readonly expected: string;
  readonly found: readonly string[];
  readonly message: string;
}

export interface CheckedDomain {
  readonly dkim: DnsCheckStatus;
  readonly spf: DnsCheckStatus;
  readonly checks: readonly DnsCheck[];
}

export async function checkDomain(
  lookUpTxt: LookUpTxt,
  domain: PublishedDomain,
  host: string,
  senders: Senders | null = null,
): Promise<CheckedDomain> {
  const lookUp = onceEach(lookUpTxt);
  const [dkim, spf, dmarc] = await Promise.all([
    checkDkim(lookUp, domain),
    checkSpf(lookUp, domain.domain, host, senders),
    checkDmarc(lookUp, domain),
  ]);
  const own = domain.domain === host ? [] : await checkHost(lookUp, host);
  return { dkim: dkim.status, spf: spf.status, checks: [dkim, spf, dmarc, ...own] };
}

/** The checks of a domain before its first DNS query. */
export function pendingChecks(domain: PublishedDomain, host: string): DnsCheck[] {
  const message = 'Not checked yet. Publish a TXT record with this name and the expected value.';
  const common = { status: 'pending', type: 'TXT', found: [], message } as const;
  return [
    { record: 'dkim', ...common, name: dkimName(domain), expected: dkimValue(domain.publicKey) },
    { record: 'spf', ...common, name: domain.domain, expected: spfValue(domain.domain, host) },
    { record: 'dmarc', ...common, name: dmarcName(domain.domain), expected: dmarcValue(domain.reportsTo) },
  ];
}

/** The time limits of one lookup and of all lookups of a check; a user waits for the answer. */
const LOOKUP_MS = 5_000;
const CHECK_MS = 15_000;

/** Uncached DNS lookups for one check, because the user may have just changed a record. */
export function createTxtLookups(resolver: Pick<Resolver, 'txt'>, clock: Clock): () => LookUpTxt {
  return () => {
    const untilMs = clock.nowMs() + CHECK_MS;
    return async (name) => {
      const deadlineMs = Math.min(LOOKUP_MS, untilMs - clock.nowMs());
      if (deadlineMs <= 0) return { kind: 'unavailable', code: 'ETIMEOUT' };
      const how: LookupOptions = { fresh: true, deadlineMs };
      return resolver.txt(name, how);
    };
  };
}

function onceEach(lookUpTxt: LookUpTxt): LookUpTxt {
  const asked = new Map<string, Promise<Answer<string>>>();
  return (name) => {
    const known = asked.get(name);
    if (known !== undefined) return known;
    const asking = lookUpTxt(name);
    asked.set(name, asking);
    return asking;
  };
}

/** For one key; a domain may have a second one. */
export async function checkDkim(lookUp: LookUpTxt, domain: PublishedDomain): Promise<DnsCheck> {
  const name = dkimName(domain);
  const answer = await lookUp(name);
  const texts = answer.kind === 'found' ? answer.records : [];
  const verdict: DkimVerdict =
    answer.kind === 'unavailable'
      ? { kind: 'unavailable', code: answer.code }
      : judgeDkim(texts, domain.publicKey);
  return {
    record: 'dkim',
    status: statusOf(verdict),
    type: 'TXT',
    name,
    expected: dkimValue(domain.publicKey),
    found: shown(texts),
    message: printable(adviseDkim(verdict, name)),
  };
}

async function checkSpf(
  lookUp: LookUpTxt,
  domain: string,
  host: string,
  senders: Senders | null,
): Promise<DnsCheck> {
  const verdict = await evaluateSpf(lookUp, domain, host, senders);
  const fitted =
    isRightSpf(verdict) || verdict.kind === 'unavailable'
      ? null
      : await fitSpf(lookUp, proposedSpf(verdict, domain, host), {
          host,
          addresses: senders?.addresses ?? [],
        });
  const { expected, found, message } = adviseSpf(verdict, domain, host, fitted);
  return {
    record: 'spf',
    status: statusOf(verdict),
    type: 'TXT',
    name: domain,
    expected: printable(expected),
    found: shown(found),
    message: printable(message),
  };
}

/** Never `fail`, because mail is sent without the record. */
async function checkDmarc(
  lookUp: LookUpTxt,
  { domain, reportsTo = null }: PublishedDomain,
): Promise<DnsCheck> {
  const record = await findDmarc(lookUp, domain);
  const { expected, found, message, ...rest } = adviseDmarc(record, domain, reportsTo);
  return {
    record: 'dmarc',
    type: 'TXT',
    ...rest,
    expected: printable(expected),
    found: shown(found),
    message: printable(message),
  };
}

/**
 * The operator publishes the record that all domains include. Without it, receivers reject the domains' records too.
 */
async function checkHost(lookUp: LookUpTxt, host: string): Promise<DnsCheck[]> {
  const verdict = await fetchSpf(lookUp, host);
  if (verdict.kind === 'found') return [];
  const unknown = verdict.kind === 'unavailable';
  const expected = hostSpfValue();
  return [
    {
      record: 'sending_host',
      status: unknown ? 'unknown' : 'fail',
      type: 'TXT',
      name: host,
      expected,
      found: verdict.kind === 'several' ? shown(verdict.records) : [],
      message: unknown
        ? describeDnsFailure(host, verdict.code)
        : `The sending host ${host} needs exactly one valid SPF record, which the records of all domains include. The operator of this server publishes it: ${expected}`,
    },
  ];
}

function statusOf(verdict: SpfVerdict | DkimVerdict): DnsCheckStatus {
  if (verdict.kind === 'pass') return 'pass';
  return verdict.kind === 'unavailable' ? 'unknown' : 'fail';
}

const MAX_SHOWN_RECORDS = 10;
const MAX_SHOWN_CHARS = 2_000;

/** DNS texts are untrusted: truncated, and without characters that the database or a terminal cannot handle. */
function shown(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_SHOWN_RECORDS).map(printable);
}

function printable(text: string): string {
  return text.slice(0, MAX_SHOWN_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
}
