/** The one writer of `api_key_usage`. */
import { type Sql, sql } from '../../database/sql.ts';
import { DAY_MS } from '../../runtime/durations.ts';

export interface KeyCount {
  readonly organizationId: string;
  readonly keyId: string;
  /** The UTC day, such as `2026-11-15`. */
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
  readonly emails: number;
}

export interface UsageTotals {
  readonly requests: number;
  readonly refused: number;
  readonly emails: number;
}

export interface UsageDay extends UsageTotals {
  readonly day: string;
}

/** The retention in days. */
export const USAGE_DAYS = 90;

/** Rows are written in key order, so that concurrent processes cannot deadlock. */
const add = sql(
  'api_key_usage.add',
  `INSERT INTO api_key_usage (organization_id, key_id, day, requests, refused, emails)
   SELECT o, k, d, r, f, e
   FROM unnest($1::text[], $2::text[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[]) AS u (o, k, d, r, f, e)
   ORDER BY o, k, d
   ON CONFLICT (organization_id, key_id, day) DO UPDATE SET
     requests = api_key_usage.requests + excluded.requests,
     refused = api_key_usage.refused + excluded.refused,
     emails = api_key_usage.emails + excluded.emails`,
  { home: 'control' },
);

const since = sql<UsageDay>(
  'api_key_usage.since',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, requests, refused, emails FROM api_key_usage
   WHERE organization_id = $1 AND key_id = $2 AND day >= $3::date ORDER BY day`,
  { home: 'control' },
);

const totals = sql<UsageTotals & { key_id: string }>(
  'api_key_usage.totals',
  `SELECT key_id, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused, sum(emails)::bigint AS emails
   FROM api_key_usage
   WHERE organization_id = $1 AND key_id = ANY ($2::text[]) AND day >= $3::date
   GROUP BY key_id`,
  { home: 'control' },
);

const removeOld = sql('api_key_usage.remove_old', 'DELETE FROM api_key_usage WHERE day < $1::date', {
  home: 'control',
});

export async function addKeyCounts(db: Sql, counts: readonly KeyCount[]): Promise<void> {
  await db.exec(add, [
    counts.map(({ organizationId }) => organizationId),
    counts.map(({ keyId }) => keyId),
    counts.map(({ day }) => day),
    counts.map(({ requests }) => requests),
    counts.map(({ refused }) => refused),
    counts.map(({ emails }) => emails),
  ]);
}

/** The days on which the key was used, earliest first. */
export function usageSince(db: Sql, organizationId: string, keyId: string, day: string): Promise<UsageDay[]> {
  return db.many(since, [organizationId, keyId, day]);
}

export async function totalsSince(
  db: Sql,
  organizationId: string,
  keyIds: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, UsageTotals>> {
  const rows = await db.many(totals, [organizationId, keyIds, day]);
  return new Map(
    rows.map(({ key_id, requests, refused, emails }) => [key_id, { requests, refused, emails }]),
  );
}

export async function removeOldKeyUsage(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeOld, [new Date(nowMs - USAGE_DAYS * DAY_MS).toISOString().slice(0, 10)]);
}
