/**
 * Sends the TLS reports that are due. One worker takes each report. The idempotency key of a mailed report consists of its day
 * and domain, so the report is mailed only once although the worker may die. A posted report may then arrive twice, with the
 * same report id.
 */
import { gzipSync } from 'node:zlib';
import type { Database } from '../../database/database.ts';
import { INSTALLATION } from '../../organizations/installation.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import type { PostBytes } from '../../protocols/fetch/post-bytes.ts';
import type { Address } from '../../protocols/message/address.ts';
import { oneLine } from '../../protocols/message/unsafe-text.ts';
import type { Log } from '../../runtime/log.ts';
import { type Draft, ORDINARY } from '../../submission/draft.ts';
import { runWithoutReservation, selfKeyed } from '../../submission/idempotency/run.ts';
import type { Refused } from '../../submission/refused.ts';
import { type Accepted, type SubmissionDeps, submit } from '../../submission/submit.ts';
import { reportJson, reportMail, type TlsReporter } from './report.ts';
import { type ReportDestinations, reportDestinations } from './report-record.ts';
import {
  type DueReport,
  endTlsReport,
  putOffTlsReport,
  takeDueReports,
  tlsSessionsOf,
} from './report-store.ts';

interface ReportSenderDeps {
  readonly db: Database;
  readonly log: Log;
  readonly resolver: Pick<Resolver, 'txt'>;
  readonly submission: SubmissionDeps;
  readonly post: PostBytes;
  readonly reporter: TlsReporter;
  readonly onResult: (result: TlsReportResult) => void;
}

/** The result of sending one report. */
export type TlsReportResult = 'sent' | 'unwanted' | 'put_off';

const AT_ONCE = 10;
const SENDER = { organizationId: INSTALLATION, keyId: null, tiedTo: null, policy: null };

/** Runs as a chore. */
export async function sendDueReports(deps: ReportSenderDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await takeDueReports(deps.db, AT_ONCE);
    for (const one of due) await sendReport(deps, one);
    if (due.length < AT_ONCE) return;
  }
}

async function sendReport(deps: ReportSenderDeps, due: DueReport): Promise<void> {
  const { db } = deps;
  const destinations = await lookUpReportDestinations(deps.resolver, due.domain);
  if (destinations === 'unknown') return putOff(deps, due, 'DNS did not say where it is to go.');
  const rows = destinations === null ? [] : await tlsSessionsOf(db, due);
  if (destinations === null || rows.length === 0) return end(deps, due, 'unwanted');
  const problem = await sendTo(deps, due, destinations, reportJson(due, deps.reporter, rows));
  await (problem === null ? end(deps, due, 'sent') : putOff(deps, due, problem));
}

async function end(
  { db, onResult }: ReportSenderDeps,
  due: DueReport,
  outcome: 'sent' | 'unwanted',
): Promise<void> {
  await endTlsReport(db, due, outcome);
  onResult(outcome);
}

async function putOff(
  { db, log, onResult }: ReportSenderDeps,
  due: DueReport,
  problem: string,
): Promise<void> {
  await putOffTlsReport(db, due, problem);
  onResult('put_off');
  log.warn({ ...due, problem }, 'a TLS report could not be sent');
}

/** Null where the domain wants no reports. */
export async function lookUpReportDestinations(
  resolver: Pick<Resolver, 'txt'>,
  domain: string,
): Promise<ReportDestinations | 'unknown' | null> {
  const found = await resolver.txt(`_smtp._tls.${domain}`);
  if (found.kind === 'unavailable') return 'unknown';
  return found.kind === 'found' ? reportDestinations(found.records) : null;
}

/** Null if at least one destination accepted the report; otherwise all their problems. */
async function sendTo(
  deps: ReportSenderDeps,
  due: DueReport,
  { mail, https }: ReportDestinations,
  json: string,
): Promise<string | null> {
  const packed = gzipSync(json);
  const problems = await Promise.all([
    ...(mail.length > 0 ? [mailReport(deps, due, mail, json)] : []),
    ...https.map(async (url) =>
      (await deps.post(url, 'application/tlsrpt+gzip', packed)) ? null : `${url} did not take it.`,
    ),
  ]);
  return problems.includes(null) ? null : problems.join(' ');
}

async function mailReport(
  { db, submission, reporter }: ReportSenderDeps,
  due: DueReport,
  to: readonly Address[],
  json: string,
): Promise<string | null> {
  const draft = draftOf(due, reporter, to, json);
  const keyed = selfKeyed(INSTALLATION, `tlsrpt ${due.day} ${due.domain}`);
  const done = await runWithoutReservation<Accepted | Refused>(
    db,
    keyed,
    (run) => submit(submission, SENDER, draft, { run, answer: ({ id }) => ({ status: 200, body: { id } }) }),
    (result) => result.kind !== 'accepted',
  );
  if (done.kind === 'taken_over' || done.result.kind === 'accepted') return null;
  return `The mail was refused: ${done.result.kind}.`;
}

function draftOf(due: DueReport, reporter: TlsReporter, to: readonly Address[], json: string): Draft {
  const { subject, mime } = reportMail(due, reporter, to, json);
  return {
    ...ORDINARY,
    from: { address: reporter.contact, name: null },
    to: to.map((address) => ({ address, name: null })),
    content: { kind: 'mime', subject: oneLine(subject), mime, hasHtml: false },
    metadata: { kind: 'tls_report', day: due.day, domain: due.domain },
    onSuppressed: 'report',
    trackOpens: false,
    trackClicks: 'off',
    tls: 'optional',
  };
}
