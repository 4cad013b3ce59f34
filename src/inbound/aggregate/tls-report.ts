/** Reads a report about TLS (RFC 8460). Pure and bounded, and it never throws. */
import type { TlsReport, TlsRow } from '../../domains/reports/report.ts';
import type { ReadResult } from './dmarc-report.ts';
import { reportedCount, reportedDomain, reportedName, reportedWord } from './safe-values.ts';

/** Parsed in one go, which takes ten milliseconds at most; reports have a few thousand characters. */
const MAX_CHARS = 256 * 1024;
const MAX_POLICIES = 100;
/** For all policies together. */
const MAX_DETAILS = 1_000;

/** `json`: in pieces. */
export function readTlsReport(json: readonly string[]): ReadResult<TlsReport> {
  if (json.reduce((sum, { length }) => sum + length, 0) > MAX_CHARS)
    return { ok: false, why: 'It is larger than any report about TLS.' };
  const root = objectIn(parse(json.join('')));
  if (root === null) return { ok: false, why: 'It is not a report about TLS in JSON.' };
  const reporter = reportedName(textIn(root, 'organization-name')) || hostIn(textIn(root, 'contact-info'));
  const reportId = reportedName(textIn(root, 'report-id'));
  if (reportId === '' || reporter === '') {
    return { ok: false, why: 'The report does not say who wrote it, or has no number.' };
  }
  const range = objectIn(root['date-range']) ?? {};
  const beginsAtMs = Date.parse(textIn(range, 'start-datetime') ?? '');
  const endsAtMs = Date.parse(textIn(range, 'end-datetime') ?? '');
  if (!(endsAtMs >= beginsAtMs)) return { ok: false, why: 'The report does not say which time it is about.' };
  const rows = rowsOf(root);
  if (typeof rows === 'string') return { ok: false, why: rows };
  const domain = rows[0]?.policyDomain;
  if (domain === undefined) return { ok: false, why: 'The report does not say which domain it is about.' };
  const counted = rows.filter(({ sessions }) => sessions > 0);
  const times = { beginsAtMs, endsAtMs };
  return { ok: true, report: { kind: 'tls', reporter, reportId, domain, ...times, rows: counted } };
}

type Json = Readonly<Record<string, unknown>>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
}

function objectIn(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textIn(object: Json, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

function hostIn(contact: string | undefined): string {
  return reportedName(contact).replace(/^.*@/, '');
}

/** Returns the rows, or a description of the problem. */
function rowsOf(root: Json): TlsRow[] | string {
  const policies = listIn(root.policies);
  if (policies.length > MAX_POLICIES) return 'The report has more policies than are read.';
  const rows: TlsRow[] = [];
  let details = 0;
  for (const one of policies) {
    const policy = objectIn(one) ?? {};
    details += listIn(policy['failure-details']).length;
    if (details > MAX_DETAILS) return 'The report has more details than are read.';
    const found = policyRows(policy);
    if (typeof found === 'string') return found;
    rows.push(...found);
  }
  return rows;
}

function policyRows(one: Json): TlsRow[] | string {
  const policy = objectIn(one.policy) ?? {};
  const summary = objectIn(one.summary) ?? {};
  const policyDomain = reportedDomain(textIn(policy, 'policy-domain'));
  if (policyDomain === null) return 'The report does not say which domain it is about.';
  const well = reportedCount(summary['total-successful-session-count'] ?? 0);
  const failed = reportedCount(summary['total-failure-session-count'] ?? 0);
  if (well === null || failed === null) return NO_COUNT;
  const about = {
    policyDomain,
    policyType: reportedWord(textIn(policy, 'policy-type')) ?? 'no-policy-found',
  };
  const failures = failureRows(listIn(one['failure-details']), about);
  if (typeof failures === 'string') return failures;
  const explained = failures.reduce((sum, { sessions }) => sum + sessions, 0);
  return [
    { ...about, mxHost: null, failure: null, sessions: well },
    ...failures,
    ...(failed > explained
      ? [{ ...about, mxHost: null, failure: 'unspecified', sessions: failed - explained }]
      : []),
  ];
}

function failureRows(
  details: readonly unknown[],
  about: Pick<TlsRow, 'policyDomain' | 'policyType'>,
): TlsRow[] | string {
  const found = new Map<string, TlsRow>();
  for (const one of details) {
    const detail = objectIn(one) ?? {};
    const sessions = reportedCount(detail['failed-session-count'] ?? 0);
    if (sessions === null) return NO_COUNT;
    const failure = reportedWord(textIn(detail, 'result-type')) ?? 'unspecified';
    const mxHost = reportedDomain(textIn(detail, 'receiving-mx-hostname'));
    const key = `${failure} ${mxHost}`;
    found.set(key, { ...about, mxHost, failure, sessions: sessions + (found.get(key)?.sessions ?? 0) });
  }
  return [...found.values()];
}

const NO_COUNT = 'A part of the report has no valid count.';
