/**
 * The details of each attempt, and of later reports by mail: a longer version of the events, for explanations. An attempt is in the
 * event of its outcome (outcomes.ts). The table `attempts` has the reports, and the attempts that earlier releases and processes
 * beside them have written. Rows are removed with their emails.
 */
import { optionalColumn } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7 } from '../runtime/ids.ts';
import { type MessageEvidence, packEvidence, unpackEvidence } from './evidence.ts';
import type { TlsCertificate } from './read.ts';

export const ATTEMPT_OUTCOMES = ['delivered', 'deferred', 'bounced', 'failed', 'rejected'] as const;
type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface RouteTaken {
  readonly transport: string;
  readonly kind: 'direct' | 'relay' | 'default';
  /** The source address, if one was chosen. */
  readonly source: string | null;
  /** The matching rule, counted from 1; null if none matched. */
  readonly rule: number | null;
  /** Counted from 1; 0 for the transport that a canary moves mail to. */
  readonly step: number;
  /** Such as `rule 3 matched: provider gmail`. */
  readonly why: string;
  /** Set if the rule moves its mail to another transport. */
  readonly canary?: CanaryTaken;
}

export interface CanaryTaken {
  readonly name: string;
  readonly way: 'old' | 'new';
  /** The share of this mail that used the new transport then. */
  readonly percent: number;
  /** The new transport was chosen but could not be used. */
  readonly instead?: true;
}

export interface NewAttempt {
  readonly organizationId: string;
  readonly emailId: string;
  readonly position: number;
  readonly attempt: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly nextAttemptAtMs: number | null;
  readonly outcome: AttemptOutcome;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly mxHost: string | null;
  readonly tls: string | null;
  readonly tlsCertificate: TlsCertificate | null;
  readonly detail: string | null;
  readonly conversation: string | null;
  readonly route: RouteTaken | null;
  /** For delivered mail. */
  readonly evidence: MessageEvidence | null;
}

/** A report that arrived by mail after the server had accepted the message. */
export interface NewReport {
  readonly organizationId: string;
  readonly emailId: string;
  readonly position: number;
  readonly receivedAtMs: number;
  /** When it was recorded; earlier records sort before it. */
  readonly atMs: number;
  readonly outcome: 'bounced';
  readonly reason: string;
  /** Begins with `report-`, which identifies the row as a report. */
  readonly rule: string;
  readonly mxHost: string | null;
  readonly detail: string | null;
  /** The server that wrote the report, by its own statement. */
  readonly reportedBy: string | null;
}

export interface AttemptRow {
  position: number;
  kind: 'attempt' | 'report';
  /** Null for reports. */
  attempt: number | null;
  duration_ms: number | null;
  reported_by: string | null;
  created_at: Date;
  next_attempt_at: Date | null;
  outcome: AttemptOutcome;
  reason: string | null;
  rule: string | null;
  mx_host: string | null;
  tls: string | null;
  tls_certificate: TlsCertificate | null;
  detail: string | null;
  conversation: string | null;
  route: RouteTaken | null;
  evidence: MessageEvidence | null;
}

const insert = sql(
  'attempts.append',
  `INSERT INTO attempts (organization_id, email_id, id, position, attempt, duration_ms, created_at, next_attempt_at,
                         outcome, reason, rule, mx_host, tls, detail, conversation, tls_certificate, route, evidence)
   SELECT o, e, i, p, n, ms, to_timestamp(at / 1000.0), to_timestamp(next / 1000.0), outcome, reason, rule, mx, tls,
          detail, said, certificate, way, proof
   FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::int[], $7::float8[],
               $8::float8[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
               $16::jsonb[], $17::jsonb[], $18::bytea[])
        AS new(o, e, i, p, n, ms, at, next, outcome, reason, rule, mx, tls, detail, said, certificate, way, proof)`,
  { home: 'cell', organization: '$1' },
);

/** A separate statement, because attempts are recorded for every message and need no columns of reports. */
const insertReports = sql(
  'attempts.append_reports',
  `INSERT INTO attempts (organization_id, email_id, id, position, attempt, duration_ms, created_at, outcome, reason,
                         rule, mx_host, detail, reported_by)
   SELECT o, e, i, p, 0, 0, to_timestamp(at / 1000.0), outcome, reason, rule, mx, detail, reporter
   FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::smallint[], $5::float8[], $6::text[], $7::text[], $8::text[],
               $9::text[], $10::text[], $11::text[])
        AS new(o, e, i, p, at, outcome, reason, rule, mx, detail, reporter)`,
  { home: 'cell', organization: '$1' },
);

const STORED = `organization_id, email_id, id, position, attempt, duration_ms, created_at, next_attempt_at, rule, mx_host, tls,
     tls_certificate, conversation, route, evidence`;

/** SQL: the detail of an attempt in `events`. */
const DETAIL = 'CASE WHEN detail_is_reply THEN smtp_message ELSE detail END';

/** SQL: attempts and reports, from both tables that have them. */
export function attemptsWhere(condition: string): string {
  return `SELECT ${STORED}, outcome, reason, detail, reported_by FROM attempts WHERE ${condition}
     UNION ALL
     SELECT ${STORED}, type, coalesce(attempt_reason, reason), ${DETAIL}, NULL FROM events
     WHERE duration_ms IS NOT NULL AND ${condition}`;
}

const selectOfEmail = sql<Omit<AttemptRow, 'evidence'> & { evidence: Buffer | null }>(
  'attempts.of_email',
  `SELECT position, kind, CASE kind WHEN 'attempt' THEN attempt END AS attempt,
          CASE kind WHEN 'attempt' THEN duration_ms END AS duration_ms, reported_by, created_at, next_attempt_at, outcome,
          reason, rule, mx_host, tls, tls_certificate, detail, conversation, route, evidence
   FROM (SELECT *, CASE WHEN rule LIKE 'report-%' THEN 'report' ELSE 'attempt' END AS kind
         FROM (${attemptsWhere('organization_id = $1 AND email_id = $2')}) AS stored) AS told
   ORDER BY id`,
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'attempts.remove',
  `DELETE FROM attempts WHERE organization_id = $1 AND email_id = ANY ($2::uuid[]) AND email_id BETWEEN $3 AND $4`,
  { home: 'cell', organization: '$1' },
);

export async function appendAttempts(tx: Sql, attempts: readonly NewAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await tx.exec(insert, [
    attempts.map((one) => one.organizationId),
    attempts.map((one) => one.emailId),
    attempts.map((one) => uuidv7(one.atMs)),
    attempts.map((one) => one.position),
    attempts.map((one) => one.attempt),
    attempts.map((one) => one.durationMs),
    attempts.map((one) => one.atMs),
    attempts.map((one) => one.nextAttemptAtMs),
    attempts.map((one) => one.outcome),
    attempts.map((one) => one.reason),
    attempts.map((one) => one.rule),
    attempts.map((one) => one.mxHost),
    attempts.map((one) => one.tls),
    attempts.map((one) => one.detail),
    attempts.map((one) => one.conversation),
    attempts.map((one) => (one.tlsCertificate ? JSON.stringify(one.tlsCertificate) : null)),
    optionalColumn(attempts, ({ route }) => (route ? JSON.stringify(route) : null)),
    attempts.map(({ evidence }) => evidence && packEvidence(evidence)),
  ]);
}

export async function appendReports(tx: Sql, reports: readonly NewReport[]): Promise<void> {
  if (reports.length === 0) return;
  await tx.exec(insertReports, [
    reports.map((one) => one.organizationId),
    reports.map((one) => one.emailId),
    reports.map((one) => uuidv7(one.atMs)),
    reports.map((one) => one.position),
    reports.map((one) => one.receivedAtMs),
    reports.map((one) => one.outcome),
    reports.map((one) => one.reason),
    reports.map((one) => one.rule),
    reports.map((one) => one.mxHost),
    reports.map((one) => one.detail),
    reports.map((one) => one.reportedBy),
  ]);
}

/** Oldest first. */
export async function attemptsOfEmail(
  db: Sql,
  organizationId: string,
  emailId: string,
): Promise<AttemptRow[]> {
  const rows = await db.many(selectOfEmail, [organizationId, emailId]);
  return rows.map(({ evidence, ...row }) => ({ ...row, evidence: evidence && unpackEvidence(evidence) }));
}

/** `emailIds` in ascending order. */
export async function removeAttempts(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(remove, [organizationId, emailIds, emailIds[0], emailIds.at(-1)]);
}

const erase = sql(
  'attempts.erase',
  `UPDATE attempts a SET conversation = NULL, detail = NULL
   WHERE organization_id = $1 AND email_id = ANY ($2::uuid[])
     AND (position(lower($3) IN lower(conversation)) > 0 OR position(lower($3) IN lower(detail)) > 0
       OR (email_id, position) IN (SELECT e, p FROM unnest($4::uuid[], $5::smallint[]) AS own(e, p)))`,
  { home: 'cell', organization: '$1' },
);

/** The reply in `smtp_message` is erased with the event. */
const eraseInEvents = sql(
  'events.erase_attempts',
  `UPDATE events ev SET conversation = NULL, detail = NULL, detail_is_reply = NULL
   WHERE organization_id = $1 AND email_id = ANY ($2::uuid[]) AND duration_ms IS NOT NULL
     AND (position(lower($3) IN lower(conversation)) > 0 OR position(lower($3) IN lower(${DETAIL})) > 0
       OR (email_id, position) IN (SELECT e, p FROM unnest($4::uuid[], $5::smallint[]) AS own(e, p)))`,
  { home: 'cell', organization: '$1' },
);

/** Erases the text of replies and reports in the recipient's own deliveries, and in others that name the address. Call it before the events are erased. */
export async function eraseFromAttempts(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
  email: string,
  own: readonly { readonly emailId: string; readonly position: number }[],
): Promise<void> {
  const params = [
    organizationId,
    emailIds,
    email,
    own.map((one) => one.emailId),
    own.map((one) => one.position),
  ];
  await tx.exec(erase, params);
  await tx.exec(eraseInEvents, params);
}
