/**
 * Emails by organization, status and UTC day of acceptance. Updated in the same transaction as the emails, so that
 * lists can show totals without counting. The one writer of `email_counts`.
 *
 * A day's row stays when retention removes its emails: `count` is the number accepted, `removed` the number deleted
 * since, and lists show the difference. `version` increases with every update, so that cached counts of a day can be
 * invalidated.
 */

import { call, inOrder } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { EmailStatus } from '../emails/status.ts';
import { utcDay } from '../runtime/timestamp.ts';
import { type CountMove, moveHourlyCounts } from './hourly-counts.ts';
import { moveStreamCounts } from './stream-counts.ts';

export const COUNTED = ['count_organizations', 'count_days', 'count_statuses', 'count_moves'] as const;

const move = sql('email_counts.move', call('SELECT move_email_counts', COUNTED), {
  home: 'cell',
  organization: '$1',
});

const remove = sql(
  'email_counts.remove',
  `INSERT INTO email_counts (organization_id, day, status, count, removed)
   SELECT o, d, s, 0, by FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[]) AS m(o, d, s, by)
   ORDER BY o, d, s
   ON CONFLICT (organization_id, day, status)
   DO UPDATE SET removed = email_counts.removed + excluded.removed, version = email_counts.version + 1`,
  { home: 'cell', organization: '$1' },
);

const anyAccepted = sql<{ any: boolean }>(
  'email_counts.any',
  'SELECT EXISTS (SELECT FROM email_counts WHERE organization_id = $1 AND count > 0) AS any',
  { home: 'cell', organization: '$1' },
);

const removeDays = sql(
  'email_counts.remove_days',
  `UPDATE email_counts SET removed = count, version = version + 1
   WHERE day >= $1::date AND day < $2::date AND removed <> count`,
  { home: 'cell' },
);

const ofDays = sql<DayRow>(
  'email_counts.of_days',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day,
          sum(count - removed)::bigint AS emails,
          coalesce(sum(count - removed) FILTER (WHERE $2::text[] IS NULL OR status = ANY ($2)), 0)::bigint AS matching,
          sum(count)::bigint AS accepted,
          sum(removed)::bigint AS removed,
          sum(version)::bigint AS version
   FROM email_counts
   WHERE organization_id = $1
     AND ($3::date IS NULL OR day >= $3)
     AND ($4::date IS NULL OR day <= $4)
   GROUP BY day HAVING sum(count - removed) > 0 ORDER BY day DESC`,
  { home: 'cell', organization: '$1' },
);

interface DayRow {
  day: string;
  /** The number of emails, of any status. */
  emails: number;
  /** The number of emails with one of the requested statuses. */
  matching: number;
  /** Emails ever accepted, emails removed since, and the number of changes of these counts. */
  accepted: number;
  removed: number;
  version: number;
}

export type DayCount = Readonly<DayRow>;

export async function moveEmailCounts(tx: Sql, moves: readonly CountMove[]): Promise<void> {
  const columns = countColumns(moves);
  if (columns.count_moves.length === 0) return;
  // Issued together and executed in this order, in one round trip.
  await Promise.all([
    tx.exec(move, inOrder(COUNTED, columns)),
    moveHourlyCounts(tx, moves),
    moveStreamCounts(tx, moves),
  ]);
}

const queued = sql<{ count: number }>(
  'email_counts.queued',
  `SELECT coalesce(sum(count - removed), 0)::bigint AS count FROM email_counts
   WHERE organization_id = $1 AND status = 'queued'`,
  { home: 'cell', organization: '$1' },
);

/** The number of undecided emails, including scheduled ones. */
export async function countQueued(db: Sql, organizationId: string): Promise<number> {
  return (await db.one(queued, [organizationId])).count;
}

/** For emails that this transaction removed; `by` is their number. */
export async function removeFromCounts(tx: Sql, moves: readonly Omit<CountMove, 'stream'>[]): Promise<void> {
  const columns = countColumns(moves);
  if (columns.count_moves.length > 0) await tx.exec(remove, inOrder(COUNTED, columns));
}

/** For whole days whose emails this transaction removed, in every organization. */
export async function removeDaysFromCounts(tx: Sql, fromDay: string, beforeDay: string): Promise<void> {
  await tx.exec(removeDays, [fromDay, beforeDay]);
}

interface CountFilter {
  readonly statuses: readonly EmailStatus[] | null;
  /** Whole UTC days, `YYYY-MM-DD`, both inclusive. */
  readonly fromDay: string | null;
  readonly toDay: string | null;
}

/** The days with emails, newest first. */
export function countsOfDays(db: Sql, organizationId: string, filter: CountFilter): Promise<DayCount[]> {
  return db.many(ofDays, [organizationId, filter.statuses, filter.fromDay, filter.toDay]);
}

export function countColumns(moves: readonly Omit<CountMove, 'stream'>[]) {
  const rows = sumUp(moves);
  return {
    count_organizations: rows.map((row) => row.organizationId),
    count_days: rows.map((row) => row.day),
    count_statuses: rows.map((row) => row.status),
    count_moves: rows.map((row) => row.by),
  };
}

interface Sum {
  readonly organizationId: string;
  readonly day: string;
  readonly status: string;
  by: number;
}

function sumUp(moves: readonly Omit<CountMove, 'stream'>[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { organizationId, createdAtMs, status, by } of moves) {
    const day = utcDay(createdAtMs);
    const key = `${organizationId} ${day} ${status}`;
    const sum = sums.get(key);
    if (sum) sum.by += by;
    else sums.set(key, { organizationId, day, status, by });
  }
  return [...sums.values()].filter((row) => row.by !== 0);
}

/** Whether the organization has ever sent mail. */
export async function hasAccepted(db: Sql, organizationId: string): Promise<boolean> {
  return (await db.one(anyAccepted, [organizationId])).any;
}
