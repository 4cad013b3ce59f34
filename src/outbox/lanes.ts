/**
 * Finds the lanes with due mail. A lane is the waiting mail of one organization to one domain with one priority. A claim takes
 * from a lane by age.
 *
 * No query here reads mail that is not due, or mail that cannot be sent now, more than once. `arrivals` reads rows that became
 * due since the last check, and repeats a short overlap, because a row becomes visible when its transaction commits and not
 * when it is due. `patrol` skips from lane to lane through the index, a bounded number at a time, and finds the rest: mail of
 * dead workers, and all mail when a worker starts. Reads only.
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import { PRIORITIES } from './states.ts';

export interface Lane {
  readonly domain: string;
  readonly organizationId: string;
  readonly priority: number;
}

interface Arrivals {
  readonly lanes: readonly Lane[];
  /** The database's time up to which rows were read. */
  readonly upToMs: number;
}

const selectArrivals = sql<{
  now_ms: number;
  domain: string | null;
  organization_id: string;
  priority: number;
}>(
  'outbox.arrivals',
  `SELECT extract(epoch FROM now())::float8 * 1000 AS now_ms, lane.*
   FROM (SELECT) AS once LEFT JOIN (
     SELECT DISTINCT domain, organization_id, priority FROM outbox
     WHERE worker IS NULL AND due_at <= now()
       AND due_at > coalesce(to_timestamp($1::float8 / 1000.0), now()) - $2 * interval '1 millisecond'
       AND ${notMigrating()}
   ) AS lane ON true`,
  { home: 'cell' },
);

/** Lanes with mail that became due after `sinceMs` less `lookBackMs`. `sinceMs` is null for the first check. */
export async function arrivals(db: Sql, sinceMs: number | null, lookBackMs: number): Promise<Arrivals> {
  const rows = await db.many(selectArrivals, [sinceMs, lookBackMs]);
  return {
    upToMs: rows[0]?.now_ms ?? 0,
    lanes: rows.flatMap(({ domain, organization_id: organizationId, priority }) =>
      domain === null ? [] : [{ domain, organizationId, priority }],
    ),
  };
}

interface LaneRow {
  domain: string;
  organization_id: string;
  priority: number;
  due: boolean;
}

/** A lane's first index entry is its oldest mail, so one probe per lane shows whether mail is due. */
const selectNextLanes = sql<LaneRow>(
  'outbox.patrol',
  `WITH RECURSIVE lane AS (
     (SELECT domain, organization_id, priority, due_at, 1 AS nth FROM outbox
      WHERE worker IS NULL AND (domain, organization_id, priority) > ($1, $2, $3::smallint)
      ORDER BY domain, organization_id, priority, due_at LIMIT 1)
     UNION ALL
     SELECT next.*, lane.nth + 1 FROM lane CROSS JOIN LATERAL (
       SELECT o.domain, o.organization_id, o.priority, o.due_at FROM outbox o
       WHERE o.worker IS NULL
         AND (o.domain, o.organization_id, o.priority) > (lane.domain, lane.organization_id, lane.priority)
       ORDER BY o.domain, o.organization_id, o.priority, o.due_at LIMIT 1
     ) AS next
     WHERE lane.nth < $4
   )
   SELECT domain, organization_id, priority, due_at <= now() AND ${notMigrating()} AS due FROM lane`,
  { home: 'cell' },
);

interface Patrol {
  readonly dueLanes: readonly Lane[];
  /** Where the next patrol starts; null after the last lane. */
  readonly next: Lane | null;
}

/** Checks up to `count` lanes after the given one, or from the first lane on. */
export async function patrol(db: Sql, after: Lane | null, count: number): Promise<Patrol> {
  const { domain, organizationId, priority } = after ?? { domain: '', organizationId: '', priority: -1 };
  const rows = await db.many(selectNextLanes, [domain, organizationId, priority, count]);
  const last = rows.at(-1);
  return {
    dueLanes: rows.filter((row) => row.due).map(toLane),
    next: last === undefined || rows.length < count ? null : toLane(last),
  };
}

/** The text form of a lane. No part of a lane contains a tab. */
export function laneText({ domain, organizationId, priority }: Lane): string {
  return `${domain}\t${organizationId}\t${priority}`;
}

export function laneOf(text: string): Lane | null {
  const [domain, organizationId, priority, ...more] = text.split('\t');
  const rank = Number(priority);
  if (!domain || !organizationId || !priority || more.length > 0) return null;
  return rank in PRIORITIES ? { domain, organizationId, priority: rank } : null;
}

function toLane({ domain, organization_id: organizationId, priority }: LaneRow): Lane {
  return { domain, organizationId, priority };
}
