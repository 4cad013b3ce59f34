/** The weekly partitions of the big tables. Maintenance makes them ahead of time; accept does where it failed to. */
import { type Sql, sql } from './sql.ts';

/** How far ahead partitions are kept ready: maintenance may fail for this long before accept has to help itself. */
export const WEEKS_AHEAD = 4;

const ensure = sql(
  'partitions.ensure',
  `SELECT ensure_email_partitions(to_timestamp($1::float8 / 1000.0) + weeks * interval '7 days')
   FROM generate_series(0, $2::int) AS weeks`,
);

/** Makes the partitions of the week that holds `nowMs`, and of the weeks after it, where they are missing. */
export async function ensurePartitions(db: Sql, nowMs: number, weeksAhead: number): Promise<void> {
  await db.many(ensure, [nowMs, weeksAhead]);
}
