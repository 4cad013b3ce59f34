/** The daily sending of addresses in warm-up. The one writer of `source_days`. */
import { type Sql, sql, unprepared } from '../database/sql.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import type { WarmUpDay } from './warm-up.ts';

interface SourceDay {
  readonly address: string;
  readonly provider: string;
  /** In UTC, such as 2026-11-17. */
  readonly day: string;
}

/** Complaints about mail from an address to a provider. */
export interface SourceComplaints {
  readonly address: string;
  readonly provider: string;
  readonly count: number;
}

const select = sql<WarmUpDay>(
  'source_days.before',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, used, delivered, objected, complained FROM source_days
   WHERE address = $1 AND provider = $2 AND day >= $3 AND day < $4 ORDER BY day`,
  { home: 'control' },
);

const selectAll = sql<WarmUpDay & { address: string; provider: string }>(
  'source_days.of_addresses',
  `SELECT address, provider, to_char(day, 'YYYY-MM-DD') AS day, used, delivered, objected, complained FROM source_days
   WHERE address = ANY ($1::text[]) ORDER BY address, provider, day`,
  { home: 'control' },
);

/** Adds the whole amount, or nothing if that would exceed the limit. */
const take = sql<{ used: number }>(
  'source_days.take',
  `INSERT INTO source_days AS d (address, provider, day, used) SELECT $1, $2, $3, $4 WHERE $4 <= $5::int
   ON CONFLICT (address, provider, day) DO UPDATE SET used = d.used + excluded.used WHERE d.used + excluded.used <= $5::int
   RETURNING used`,
  { home: 'control' },
);

const add = sql(
  'source_days.add',
  `INSERT INTO source_days AS d (address, provider, day, delivered, objected)
   SELECT * FROM unnest($1::text[], $2::text[], $3::date[], $4::int[], $5::int[]) ORDER BY 1, 2, 3
   ON CONFLICT (address, provider, day) DO UPDATE SET
     delivered = d.delivered + excluded.delivered, objected = d.objected + excluded.objected`,
  { home: 'control' },
);

/** Registered so that they are checked against the schema. */
const selectComplained = (name: string, table: string, outcome: string) =>
  sql<SourceComplaints>(
    name,
    `SELECT a.route->>'source' AS address, coalesce(s.provider, 'other') AS provider, count(*)::int AS count
   FROM unnest($1::text[], $2::uuid[], $3::smallint[]) AS c(o, e, p)
   JOIN ${table} a ON a.organization_id = c.o AND a.email_id = c.e AND a.position = c.p
   JOIN recipients r ON r.organization_id = c.o AND r.email_id = c.e AND r.position = c.p
   LEFT JOIN site_domains s ON s.domain = split_part(r.address, '@', -1)
   WHERE a.${outcome} = 'delivered' AND a.route->>'source' IS NOT NULL
     AND a.email_id BETWEEN $4 AND $5 AND r.email_id BETWEEN $4 AND $5
   GROUP BY 1, 2 ORDER BY 1, 2`,
    { home: 'cell', organization: '$1' },
  );

/** Unprepared, like every query for weeks of mail by id. */
const COMPLAINED_NOW = [
  unprepared(selectComplained('events.complained_sources', 'events', 'type')),
  // Attempts of earlier releases.
  unprepared(selectComplained('attempts.complained_sources', 'attempts', 'outcome')),
];

const complain = sql(
  'source_days.complain',
  `INSERT INTO source_days AS d (address, provider, day, complained)
   SELECT address, provider, (now() AT TIME ZONE 'UTC')::date, sum(complaints)::int
   FROM unnest($1::text[], $2::text[], $3::int[]) AS new(address, provider, complaints)
   GROUP BY 1, 2 ORDER BY 1, 2
   ON CONFLICT (address, provider, day) DO UPDATE SET complained = d.complained + excluded.complained`,
  { home: 'control' },
);

const removeOld = sql(
  'source_days.remove_old',
  `DELETE FROM source_days WHERE day < now() - interval '400 days'`,
  { home: 'control' },
);

export function daysBefore(
  db: Sql,
  { address, provider, day }: SourceDay,
  since: string,
): Promise<WarmUpDay[]> {
  return db.many(select, [address, provider, since, day]);
}

export function daysOfSources(db: Sql, addresses: readonly string[]) {
  return db.many(selectAll, [addresses]);
}

/** Whether this many may be sent; if so, they count as sent. */
export async function takeAllowance(
  db: Sql,
  of: SourceDay,
  mails: number,
  allowed: number,
): Promise<boolean> {
  return (await db.maybeOne(take, [of.address, of.provider, of.day, mails, allowed])) !== undefined;
}

interface DayOutcomes extends SourceDay {
  readonly delivered: number;
  readonly objected: number;
}

export async function addOutcomes(db: Sql, all: readonly DayOutcomes[]): Promise<void> {
  await db.exec(add, [
    all.map((one) => one.address),
    all.map((one) => one.provider),
    all.map((one) => one.day),
    all.map((one) => one.delivered),
    all.map((one) => one.objected),
  ]);
}

/** Counts complaints on the day of their arrival, for the source address of the mail. */
export async function sourcesComplainedOf(
  tx: Sql,
  complaints: readonly DeliveryRef[],
): Promise<readonly SourceComplaints[]> {
  if (complaints.length === 0) return [];
  const ids = complaints.map(({ emailId }) => emailId);
  const sorted = ids.toSorted();
  const [organizations, positions] = [
    complaints.map(({ organizationId }) => organizationId),
    complaints.map(({ position }) => position),
  ];
  const params = [organizations, ids, positions, sorted[0], sorted.at(-1)];
  const found = await Promise.all(COMPLAINED_NOW.map((statement) => tx.many(statement, params)));
  return found.flat();
}

export async function countSourceComplaints(db: Sql, all: readonly SourceComplaints[]): Promise<void> {
  if (all.length === 0) return;
  await db.exec(complain, [
    all.map((one) => one.address),
    all.map((one) => one.provider),
    all.map((one) => one.count),
  ]);
}

export function deleteOldSourceDays(db: Sql): Promise<unknown> {
  return db.exec(removeOld, []);
}
