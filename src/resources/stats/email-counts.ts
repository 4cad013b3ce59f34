/**
 * How many emails of each status an organization accepted on each UTC day. Moved in the same transaction as the
 * emails it counts, so lists can tell their totals without counting. The one writer of `email_counts`.
 */
import { type Sql, sql } from '../../database/sql.ts';
import { utcDay } from '../../runtime/moment.ts';

export type EmailStatus = 'queued' | 'delivered' | 'bounced' | 'failed' | 'opened';

export interface CountMove {
  readonly organizationId: string;
  /** When the email was accepted: it is counted on that day for ever. */
  readonly createdAtMs: number;
  readonly status: EmailStatus;
  readonly by: number;
}

/** Always in the same order, so that two transactions that move the same counters cannot deadlock. */
const move = sql(
  'email_counts.move',
  `INSERT INTO email_counts (organization_id, day, status, count)
   SELECT o, d, s, by FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[]) AS m(o, d, s, by)
   ORDER BY o, d, s
   ON CONFLICT (organization_id, day, status) DO UPDATE SET count = email_counts.count + excluded.count`,
);

const total = sql<{ count: number }>(
  'email_counts.total',
  `SELECT coalesce(sum(count), 0)::bigint AS count FROM email_counts
   WHERE organization_id = $1
     AND ($2::text IS NULL OR status = $2)
     AND ($3::date IS NULL OR day >= $3)
     AND ($4::date IS NULL OR day <= $4)`,
);

export async function moveEmailCounts(tx: Sql, moves: readonly CountMove[]): Promise<void> {
  const sums = new Map<string, { organizationId: string; day: string; status: string; by: number }>();
  for (const { organizationId, createdAtMs, status, by } of moves) {
    const day = utcDay(createdAtMs);
    const key = `${organizationId} ${day} ${status}`;
    const sum = sums.get(key);
    if (sum) sum.by += by;
    else sums.set(key, { organizationId, day, status, by });
  }
  const rows = [...sums.values()].filter((row) => row.by !== 0);
  if (rows.length === 0) return;
  await tx.exec(move, [
    rows.map((row) => row.organizationId),
    rows.map((row) => row.day),
    rows.map((row) => row.status),
    rows.map((row) => row.by),
  ]);
}

export interface CountFilter {
  readonly status: EmailStatus | null;
  /** Whole UTC days, `YYYY-MM-DD`, both inclusive. */
  readonly fromDay: string | null;
  readonly toDay: string | null;
}

export async function countEmails(db: Sql, organizationId: string, filter: CountFilter): Promise<number> {
  return (await db.one(total, [organizationId, filter.status, filter.fromDay, filter.toDay])).count;
}
