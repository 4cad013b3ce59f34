/** Derives one sentence of advice from receivers' reports. Pure. */
import { DAY_MS } from '../../runtime/durations.ts';
import type { DmarcPolicy } from '../dmarc.ts';
import type { TlsFailure } from './figures.ts';
import type { DmarcSource } from './sources.ts';

export interface DmarcFacts {
  /** Null when the last check found no record. */
  readonly policy: DmarcPolicy | null;
  readonly messages: number;
  readonly aligned: number;
  /** The first reported day, `2026-11-16`; null without reports. */
  readonly firstDay: string | null;
  readonly today: string;
  /** The sources with the most mail come first. */
  readonly sources: readonly Pick<DmarcSource, 'ip' | 'messages' | 'aligned' | 'is_this_installation'>[];
}

/** The minimum number of reported days: a newsletter tool that sends weekly has to appear. */
const LEAST_DAYS = 7;
const LEAST_MESSAGES = 100;
/** The aligned share above which the next policy is called safe; the rest is mostly forwarded or forged. */
const SAFE_SHARE = { quarantine: 0.98, reject: 0.99 } as const;
/** The failing share of this installation's own mail above which advice mentions it. */
export const OWN_FAILING_SHARE = 0.02;

export function adviseOnDmarc(facts: DmarcFacts): string {
  const { policy, messages, aligned } = facts;
  if (facts.firstDay === null || messages === 0) {
    return 'No reports yet. Receivers send them once a day, after the record below is published.';
  }
  const tooFew = tooFewYet(facts);
  if (tooFew !== null) return tooFew;
  const own = ownFailing(facts);
  if (own !== null) return own;
  const share = aligned / messages;
  const passes = `${percent(share)} of ${count(messages)} messages aligned`;
  const next = policy === null ? 'none' : NEXT[policy];
  if (next === 'none') return `Publish a DMARC record: ${passes}, and without one receivers check nothing.`;
  if (next === null)
    return share >= SAFE_SHARE.reject ? `Nothing to do: p=reject, and ${passes}.` : failing(facts);
  return share >= SAFE_SHARE[next] ? `p=${next} is safe: ${passes}.` : failing(facts);
}

const NEXT = { none: 'quarantine', quarantine: 'reject', reject: null } as const;

function tooFewYet({ messages, firstDay, today }: DmarcFacts): string | null {
  const beganMs = Date.parse(firstDay as string);
  const days = Math.floor((Date.parse(today) - beganMs) / DAY_MS) + 1;
  const soFar = `Too few reports yet: ${count(messages)} ${messages === 1 ? 'message' : 'messages'} in ${days} ${days === 1 ? 'day' : 'days'}`;
  if (days < LEAST_DAYS) {
    const until = new Date(beganMs + (LEAST_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    return `${soFar}; wait until ${until}, so that weekly mail is among them.`;
  }
  return messages < LEAST_MESSAGES ? `${soFar}; wait until there are ${LEAST_MESSAGES}.` : null;
}

/** Comes first, because only this installation's operator can fix it. */
function ownFailing({ sources }: DmarcFacts): string | null {
  const own = sources.filter((one) => one.is_this_installation);
  const sent = sum(own, (one) => one.messages);
  const failed = sent - sum(own, (one) => one.aligned);
  if (sent === 0 || failed / sent <= OWN_FAILING_SHARE) return null;
  return `${percent(failed / sent)} of what this installation sent fails both DKIM and SPF: check the DKIM record of the domain, and that nothing rewrites mail on its way.`;
}

function failing({ messages, sources, policy }: DmarcFacts): string {
  const failures = sources.map((one) => ({ ...one, failed: one.messages - one.aligned }));
  const [worst] = failures.toSorted((a, b) => b.failed - a.failed);
  const after = policy === 'reject' ? 'it is refused, as you asked' : 'a stricter policy stops it';
  if (worst === undefined || worst.failed === 0) return 'Nothing to do.';
  const from = worst.ip === null ? 'many addresses with little mail each' : worst.ip;
  return `${percent(worst.failed / messages)} from ${from} fails both DKIM and SPF: if it is yours, sign there first; if not, ${after}.`;
}

interface TlsFacts {
  readonly sessions: number;
  readonly failed: number;
  readonly failures: readonly TlsFailure[];
}

export function adviseOnTls({ sessions, failed, failures }: TlsFacts): string {
  if (sessions === 0)
    return 'No reports yet. Receivers send them once a day, after the record below is published.';
  if (failed === 0)
    return `Nothing to do: all of ${count(sessions)} sessions were encrypted as they should be.`;
  const [worst] = failures;
  const share = `${percent(failed / sessions)} of ${count(sessions)} sessions failed`;
  if (worst === undefined) return `${share}.`;
  const where = worst.mx_host === null ? '' : ` at ${worst.mx_host}`;
  return `${share}, most often${where} because ${WHY[worst.failure] ?? `of "${worst.failure}"`}.`;
}

/** The failure codes of RFC 8460, 4.3. */
const WHY: Readonly<Record<string, string>> = {
  'starttls-not-supported': 'it does not offer STARTTLS: turn on TLS there',
  'certificate-host-mismatch':
    'its certificate is for another name: get one that names the host in the MX record',
  'certificate-expired': 'its certificate has expired: renew it',
  'certificate-not-trusted':
    'its certificate is of no authority that others trust: get one from a public authority',
  'validation-failure': 'its certificate or policy could not be validated: look at both',
  'tlsa-invalid': 'its TLSA record does not match its certificate: publish the right one, or remove it',
  'dnssec-invalid': 'its DNSSEC signatures are wrong: repair the zone',
  'dane-required': 'the sender demands DANE and found no TLSA record',
  'sts-policy-fetch-error':
    'the MTA-STS policy could not be fetched: serve it over HTTPS at mta-sts. below the domain',
  'sts-policy-invalid': 'the MTA-STS policy is not valid: repair it',
  'sts-webpki-invalid': 'the host that serves the MTA-STS policy has no valid certificate: renew it',
};

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** Never rounded up to 100%, nor down to 0%. */
function percent(share: number): string {
  const rounded = share * 100;
  const digits = rounded < 1 || rounded > 99 ? 2 : 0;
  const bounded = share > 0 && share < 1 ? Math.min(99.99, Math.max(0.01, rounded)) : rounded;
  return `${bounded.toFixed(share === 0 || share === 1 ? 0 : digits)}%`;
}
