/** A summary of the last week's TLS reports and their contents, for the operator. Reads only. */
import { type Sql, sql } from '../../database/sql.ts';

export interface TlsReportSummary {
  readonly sent: number;
  /** Reports whose day is not over, or that will be sent in the next hours. */
  readonly waiting: number;
  /** Reports that could not be sent and are retried. */
  readonly failing: number;
  /** One of the failing reports. */
  readonly failure: { readonly day: string; readonly domain: string; readonly problem: string } | null;
  readonly sessions: number;
  readonly failedSessions: number;
  /** The domain and the failure with the most failed sessions. */
  readonly worst: { readonly domain: string; readonly failure: string; readonly sessions: number } | null;
}

const counts = sql<Pick<TlsReportSummary, 'sent' | 'waiting' | 'failing'>>(
  'tls_reports.summary',
  `SELECT count(*) FILTER (WHERE outcome = 'sent') AS sent,
          count(*) FILTER (WHERE ended_at IS NULL AND problem IS NULL) AS waiting,
          count(*) FILTER (WHERE ended_at IS NULL AND problem IS NOT NULL) AS failing
   FROM tls_reports`,
  { home: 'control' },
);

const failure = sql<NonNullable<TlsReportSummary['failure']>>(
  'tls_reports.failure',
  `SELECT day::text, domain, problem FROM tls_reports
   WHERE ended_at IS NULL AND problem IS NOT NULL ORDER BY day, domain LIMIT 1`,
  { home: 'control' },
);

const sessions = sql<{ sessions: number; failed: number }>(
  'tls_sessions.summary',
  `SELECT coalesce(sum(sessions), 0)::float8 AS sessions,
          coalesce(sum(sessions) FILTER (WHERE failure <> ''), 0)::float8 AS failed FROM tls_sessions`,
  { home: 'control' },
);

const worst = sql<NonNullable<TlsReportSummary['worst']>>(
  'tls_sessions.worst',
  `SELECT domain, failure, sum(sessions)::float8 AS sessions FROM tls_sessions WHERE failure <> ''
   GROUP BY domain, failure ORDER BY sum(sessions) DESC, domain, failure LIMIT 1`,
  { home: 'control' },
);

export async function summarizeTlsReports(db: Sql): Promise<TlsReportSummary> {
  const [reports, failing, seen, failedMost] = await Promise.all([
    db.one(counts),
    db.maybeOne(failure),
    db.one(sessions),
    db.maybeOne(worst),
  ]);
  return {
    ...reports,
    failure: failing ?? null,
    sessions: seen.sessions,
    failedSessions: seen.failed,
    worst: failedMost ?? null,
  };
}
