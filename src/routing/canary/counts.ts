/** Recent outcomes of a canary's mail on both paths. The one writer of `canary_counts`. */
import { type Sql, sql, unprepared } from '../../database/sql.ts';
import type { DeliveryRef } from '../../protocols/message/return-path.ts';
import type { PathCounts } from './decide.ts';
import type { CanaryPath } from './plan.ts';

export interface CountedPath extends PathCounts {
  readonly canary: string;
  readonly provider: string;
  readonly way: CanaryPath;
}

/** Ten-second intervals of the database's clock. */
const AT = 'to_timestamp(floor(extract(epoch FROM now()) / 10) * 10)';
const SUM = `sent = c.sent + excluded.sent, deferred = c.deferred + excluded.deferred,
     bounced = c.bounced + excluded.bounced, complained = c.complained + excluded.complained`;

const add = sql(
  'canary_counts.add',
  `INSERT INTO canary_counts AS c (canary, provider, way, at, sent, deferred, bounced, complained)
   SELECT canary, provider, way, ${AT}, sum(sent)::int, sum(deferred)::int, sum(bounced)::int, sum(complained)::int
   FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[])
        AS new(canary, provider, way, sent, deferred, bounced, complained) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
   ON CONFLICT (canary, provider, way, at) DO UPDATE SET ${SUM}`,
  { home: 'control' },
);

/** Registered so that they are checked against the schema. */
const selectLateOutcomes = (name: string, table: string, outcome: string) =>
  sql<CountedPath>(
    name,
    `SELECT a.route->'canary'->>'name' AS canary, coalesce(s.provider, 'other') AS provider, a.route->'canary'->>'way' AS way,
          0 AS sent, 0 AS deferred, count(*) FILTER (WHERE NOT complained)::int AS bounced,
          count(*) FILTER (WHERE complained)::int AS complained
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::bool[]) AS came(o, e, p, complained)
   JOIN ${table} a ON a.organization_id = came.o AND a.email_id = came.e AND a.position = came.p
   JOIN recipients r ON r.organization_id = came.o AND r.email_id = came.e AND r.position = came.p
   LEFT JOIN site_domains s ON s.domain = split_part(r.address, '@', -1)
   WHERE a.${outcome} = 'delivered' AND a.route->'canary'->>'way' IN ('old', 'new')
     AND a.email_id BETWEEN $5 AND $6 AND r.email_id BETWEEN $5 AND $6
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    { home: 'cell', organization: '$1' },
  );

/** Unprepared, like every query for weeks of mail by id. */
const LATE_OUTCOMES = [
  unprepared(selectLateOutcomes('events.late_outcomes_by_path', 'events', 'type')),
  // Attempts of earlier releases.
  unprepared(selectLateOutcomes('attempts.come_back_by_way', 'attempts', 'outcome')),
];

/** Only mail sent in the current step; all mail for a provider that has not started. */
const select = sql<CountedPath & { is_recent: boolean }>(
  'canary_counts.of_canary',
  `SELECT c.canary, c.provider, c.way, c.at >= now() - $2 * interval '1 minute' AS is_recent, sum(c.sent)::int AS sent,
          sum(c.deferred)::int AS deferred, sum(c.bounced)::int AS bounced, sum(c.complained)::int AS complained
   FROM canary_counts c LEFT JOIN canary_shares s ON s.canary = c.canary AND s.provider = c.provider
   WHERE c.canary = $1 AND (s.since IS NULL OR c.at >= s.since)
   GROUP BY 1, 2, 3, 4`,
  { home: 'control' },
);

const takeOld = sql<CountedPath & { at: Date }>(
  'canary_counts.take_old',
  `DELETE FROM canary_counts WHERE canary = $1 AND at < now() - interval '1 hour'
   RETURNING canary, provider, way, at, sent, deferred, bounced, complained`,
  { home: 'control' },
);

/** Removes old counts, which are left only by canaries that have ended. */
const removeOld = sql(
  'canary_counts.remove_old',
  `DELETE FROM canary_counts WHERE at < now() - interval '1 day'`,
  { home: 'control' },
);

export async function addCanaryCounts(db: Sql, all: readonly CountedPath[]): Promise<void> {
  if (all.length === 0) return;
  await db.exec(add, [
    all.map((one) => one.canary),
    all.map((one) => one.provider),
    all.map((one) => one.way),
    all.map((one) => one.sent),
    all.map((one) => one.deferred),
    all.map((one) => one.bounced),
    all.map((one) => one.complained),
  ]);
}

/** Bounces and complaints that arrive by mail count at their arrival, for the path that the mail took. */
export async function lateOutcomesByPath(
  tx: Sql,
  bounced: readonly DeliveryRef[],
  complained: readonly DeliveryRef[],
): Promise<readonly CountedPath[]> {
  const all = [...bounced, ...complained];
  if (all.length === 0) return [];
  const ids = all.map(({ emailId }) => emailId);
  const sorted = ids.toSorted();
  const params = [
    all.map(({ organizationId }) => organizationId),
    ids,
    all.map(({ position }) => position),
    all.map((_, index) => index >= bounced.length),
    sorted[0],
    sorted.at(-1),
  ];
  const found = await Promise.all(LATE_OUTCOMES.map((statement) => tx.many(statement, params)));
  return found.flat();
}

/** The last hour's counts, with the last minutes separate. */
export function countsOf(db: Sql, canary: string, recentMinutes: number) {
  return db.many(select, [canary, recentMinutes]);
}

/** Removes and returns counts older than an hour. */
export function takeOldCounts(tx: Sql, canary: string) {
  return tx.many(takeOld, [canary]);
}

export function deleteOldCanaryCounts(db: Sql): Promise<number> {
  return db.exec(removeOld);
}
