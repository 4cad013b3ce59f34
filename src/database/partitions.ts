/**
 * The weekly partitions of the big tables. Maintenance creates them in advance (accepting creates them if maintenance failed)
 * and removes them again. All tables of a week are created, emptied and dropped together.
 *
 * Emptying precedes dropping. It locks only the week's own tables, so readers and writers of other weeks never wait, while a
 * drop briefly locks the shared parent tables.
 */
import { DAY_MS } from '../runtime/durations.ts';
import { adHoc, type Sql, sql } from './sql.ts';

/** How far in advance partitions exist: maintenance may fail for this long before accepting has to create them. */
export const WEEKS_AHEAD = 4;

export type WeeklyTable = 'emails' | 'email_contents' | 'email_attachments' | 'moved_contents';

const WEEK_MS = 7 * DAY_MS;
/** Other queries queue behind a waiting lock request, so maintenance gives up and retries later. */
const LOCK_TIMEOUT = '200ms';

const ensure = sql(
  'partitions.ensure',
  `SELECT ensure_email_partitions(to_timestamp($1::float8 / 1000.0) + weeks * interval '7 days')
   FROM generate_series(0, $2::int) AS weeks`,
  { home: 'cell' },
);

const list = sql<{ name: string }>(
  'partitions.list',
  `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = 'emails'::regclass ORDER BY c.relname`,
  { home: 'either' },
);

const tablesOf = sql<{ name: string }>(
  'partitions.of_week',
  `SELECT part.relname AS name FROM pg_class part JOIN pg_class emails ON emails.oid = 'emails'::regclass
   WHERE part.relkind = 'r' AND part.relispartition AND part.relnamespace = emails.relnamespace
     AND right(part.relname, 10) = '_p' || $1::text ORDER BY part.relname`,
  { home: 'either' },
);

/** The lock that ensure_email_partitions() takes. */
const lockPartitions = sql(
  'partitions.lock',
  `SELECT pg_advisory_xact_lock(hashtext('postrider.partitions'))`,
  { home: 'either' },
);

const limitLockWait = sql(
  'partitions.lock_timeout',
  `SELECT set_config('lock_timeout', '${LOCK_TIMEOUT}', true)`,
  { home: 'either' },
);

export interface Week {
  /** `20261109`: the suffix of its tables. */
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

export async function ensurePartitions(db: Sql, nowMs: number, weeksAhead: number): Promise<void> {
  await db.many(ensure, [nowMs, weeksAhead]);
}

/** The existing weeks that ended before a moment, oldest first. */
export async function weeksBefore(db: Sql, beforeMs: number): Promise<Week[]> {
  const rows = await db.many(list);
  return rows
    .flatMap(({ name }) => /^emails_p(\d{8})$/.exec(name)?.[1] ?? [])
    .map(weekNamed)
    .filter((week) => week.endMs <= beforeMs);
}

export async function limitLocks(tx: Sql): Promise<void> {
  await tx.exec(limitLockWait);
}

/** The organizations with rows in a week's table: one primary key lookup for each. */
export async function organizationsIn(db: Sql, week: Week, table: WeeklyTable): Promise<string[]> {
  const part = partition(week, table);
  const rows = await db.many(
    adHoc<{ id: string }>(
      `WITH RECURSIVE present AS (
         (SELECT organization_id AS id FROM ${part} ORDER BY organization_id LIMIT 1)
         UNION ALL
         SELECT (SELECT organization_id FROM ${part} WHERE organization_id > present.id
                 ORDER BY organization_id LIMIT 1)
         FROM present WHERE present.id IS NOT NULL
       ) SELECT id FROM present WHERE id IS NOT NULL`,
    ),
  );
  return rows.map(({ id }) => id);
}

/** Locks the week's tables (all unless named) against readers and writers until the transaction ends. */
export async function lockWeek(tx: Sql, week: Week, tables?: readonly WeeklyTable[]): Promise<void> {
  await limitLocks(tx);
  await tx.exec(adHoc(`LOCK TABLE ${await names(tx, week, tables)} IN ACCESS EXCLUSIVE MODE`));
}

export async function emptyWeek(tx: Sql, week: Week, tables?: readonly WeeklyTable[]): Promise<void> {
  await tx.exec(adHoc(`TRUNCATE ${await names(tx, week, tables)}`));
}

export async function dropWeek(tx: Sql, week: Week): Promise<void> {
  await limitLocks(tx);
  await tx.exec(lockPartitions);
  await tx.exec(adHoc(`DROP TABLE ${await names(tx, week)}`));
}

async function names(tx: Sql, week: Week, tables?: readonly WeeklyTable[]): Promise<string> {
  if (tables !== undefined) return tables.map((table) => partition(week, table)).join(', ');
  return (await tx.many(tablesOf, [week.name])).map(({ name }) => name).join(', ');
}

/** A table's name and eight digits, so it needs no quoting. */
function partition(week: Week, table: WeeklyTable): string {
  return `${table}_p${week.name}`;
}

export function weekNamed(name: string): Week {
  const startMs = Date.UTC(Number(name.slice(0, 4)), Number(name.slice(4, 6)) - 1, Number(name.slice(6)));
  return { name, startMs, endMs: startMs + WEEK_MS };
}
