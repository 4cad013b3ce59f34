/** The tables `tls_reports` and `tls_sessions`. This module is their only writer. */
import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { makeSafe } from '../../protocols/smtp/reply-parser.ts';
import type { TlsSessionCount } from './session-counts.ts';
import type { PolicyType } from './session-result.ts';

/** Spreads the reports of a day over the first hours of the next day, so that they are not all sent at midnight. */
const insertReports = sql(
  'tls_reports.insert',
  `INSERT INTO tls_reports (day, domain, due_at)
   SELECT d, n, (d + 1)::timestamp AT TIME ZONE 'UTC' + interval '30 minutes' + random() * interval '4 hours'
   FROM (SELECT DISTINCT d, n FROM unnest($1::date[], $2::text[]) AS new(d, n) ORDER BY d, n) AS new
   WHERE (SELECT count(*) FROM tls_reports WHERE day = d) < $3
   ON CONFLICT DO NOTHING`,
  { home: 'control' },
);

const addSessions = sql(
  'tls_sessions.add',
  `INSERT INTO tls_sessions AS known (day, domain, policy_type, policy, policy_key, mx_host, failure, mx_address, reason, sessions)
   SELECT d, n, t, ARRAY(SELECT jsonb_array_elements_text(p)), k, h, f, a, r, c
   FROM unnest($1::date[], $2::text[], $3::text[], $4::jsonb[], $5::text[], $6::text[], $7::text[], $8::text[],
               $9::text[], $10::bigint[])
        AS new(d, n, t, p, k, h, f, a, r, c)
   WHERE EXISTS (SELECT FROM tls_reports WHERE day = d AND domain = n AND ended_at IS NULL)
     AND (SELECT count(*) FROM tls_sessions WHERE day = d AND domain = n) < $11
   ORDER BY d, n, t, k, h, f
   ON CONFLICT (day, domain, policy_type, policy_key, mx_host, failure) DO UPDATE SET sessions = known.sessions + excluded.sessions`,
  { home: 'control' },
);

/** Returns each report to one worker, which has fifteen minutes to send it. */
const takeDue = sql<DueReport>(
  'tls_reports.take_due',
  `UPDATE tls_reports SET due_at = now() + interval '15 minutes' WHERE (day, domain) IN (
     SELECT day, domain FROM tls_reports WHERE ended_at IS NULL AND due_at <= now()
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING day::text, domain`,
  { home: 'control' },
);

const selectSessions = sql<TlsSessionRow>(
  'tls_sessions.of_report',
  `SELECT policy_type, policy, mx_host, failure, mx_address, reason, sessions::float8 AS sessions
   FROM tls_sessions WHERE day = $1::date AND domain = $2 ORDER BY policy_type, policy_key, mx_host, failure`,
  { home: 'control' },
);

const endReport = sql(
  'tls_reports.end',
  'UPDATE tls_reports SET ended_at = now(), outcome = $3 WHERE day = $1::date AND domain = $2 AND ended_at IS NULL',
  { home: 'control' },
);

const putOffReport = sql(
  'tls_reports.put_off',
  `UPDATE tls_reports SET due_at = now() + interval '1 hour', problem = $3
   WHERE day = $1::date AND domain = $2 AND ended_at IS NULL`,
  { home: 'control' },
);

const removeOld = sql(
  'tls_reports.remove_old',
  `DELETE FROM tls_reports WHERE (day, domain) IN (
     SELECT day, domain FROM tls_reports WHERE day < (now() AT TIME ZONE 'UTC')::date - 7 LIMIT 10000)`,
  { home: 'control' },
);

export interface DueReport {
  /** In UTC, as `2026-11-16`. */
  readonly day: string;
  readonly domain: string;
}

export interface TlsSessionRow {
  policy_type: PolicyType;
  policy: string[];
  mx_host: string;
  failure: string;
  mx_address: string | null;
  reason: string | null;
  sessions: number;
}

const MAX_DOMAINS_A_DAY = 20_000;
const MAX_ROWS_A_REPORT = 200;
const MAX_PROBLEM = 500;

export async function addTlsSessions(db: Database, counts: readonly TlsSessionCount[]): Promise<void> {
  if (counts.length === 0) return;
  const days = counts.map(({ day }) => day);
  const domains = counts.map(({ domain }) => domain);
  await db.transaction(async (tx) => {
    await tx.exec(insertReports, [days, domains, MAX_DOMAINS_A_DAY]);
    await tx.exec(addSessions, [
      days,
      domains,
      counts.map((one) => one.policyType),
      counts.map((one) => JSON.stringify(one.policy)),
      counts.map((one) => keyOf(one.policy)),
      counts.map((one) => one.mxHost),
      counts.map((one) => one.failure),
      counts.map((one) => one.mxAddress),
      counts.map((one) => one.reason),
      counts.map((one) => one.sessions),
      MAX_ROWS_A_REPORT,
    ]);
  });
}

export function takeDueReports(db: Sql, limit: number): Promise<DueReport[]> {
  return db.many(takeDue, [limit]);
}

export function tlsSessionsOf(db: Sql, { day, domain }: DueReport): Promise<TlsSessionRow[]> {
  return db.many(selectSessions, [day, domain]);
}

/** Ends a report that was sent, or that the domain no longer wants. */
export async function endTlsReport(
  db: Sql,
  { day, domain }: DueReport,
  outcome: 'sent' | 'unwanted',
): Promise<void> {
  await db.exec(endReport, [day, domain, outcome]);
}

/** `problem` may contain untrusted text from the domain's DNS. */
export async function putOffTlsReport(db: Sql, { day, domain }: DueReport, problem: string): Promise<void> {
  await db.exec(putOffReport, [day, domain, makeSafe(problem).slice(0, MAX_PROBLEM)]);
}

/** A chore: deletes reports that are a week old, sent or not. */
export async function deleteOldTlsReports(db: Sql): Promise<void> {
  await db.exec(removeOld);
}

function keyOf(policy: readonly string[]): string {
  return createHash('sha256').update(policy.join('\n')).digest('base64url');
}
