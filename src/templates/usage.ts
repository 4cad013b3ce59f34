/** How often each template was sent. Counted in the accepting transaction; the one writer of `template_counts`. */
import { type Sql, sql } from '../kit/database/sql.ts';
import { DAY_MS } from '../kit/runtime/durations.ts';
import { utcDay } from '../kit/runtime/moment.ts';

export interface TemplateUsed {
  readonly organizationId: string;
  readonly templateId: string;
  readonly atMs: number;
}

const USAGE_DAYS = 30;

/** Always in the same order, so that two transactions that count the same templates cannot deadlock. */
const count = sql(
  'template_counts.move',
  `INSERT INTO template_counts (organization_id, template_id, day, count)
   SELECT o, t, d, n FROM unnest($1::text[], $2::text[], $3::date[], $4::int[]) AS m(o, t, d, n) ORDER BY o, t, d
   ON CONFLICT (organization_id, template_id, day) DO UPDATE SET count = template_counts.count + excluded.count`,
);

const sum = sql<{ sends: number }>(
  'template_counts.sum',
  `SELECT coalesce(sum(count), 0)::bigint AS sends FROM template_counts
   WHERE organization_id = $1 AND template_id = $2 AND day > $3`,
);

export async function countTemplateUse(tx: Sql, used: readonly TemplateUsed[]): Promise<void> {
  if (used.length === 0) return;
  const sums = new Map<string, { organizationId: string; templateId: string; day: string; count: number }>();
  for (const { organizationId, templateId, atMs } of used) {
    const day = utcDay(atMs);
    const key = `${organizationId} ${templateId} ${day}`;
    const known = sums.get(key);
    if (known) known.count += 1;
    else sums.set(key, { organizationId, templateId, day, count: 1 });
  }
  const rows = [...sums.values()];
  await tx.exec(count, [
    rows.map((row) => row.organizationId),
    rows.map((row) => row.templateId),
    rows.map((row) => row.day),
    rows.map((row) => row.count),
  ]);
}

export async function sendsLast30Days(
  db: Sql,
  organizationId: string,
  id: string,
  nowMs: number,
): Promise<number> {
  const since = utcDay(nowMs - USAGE_DAYS * DAY_MS);
  return (await db.one(sum, [organizationId, id, since])).sends;
}
