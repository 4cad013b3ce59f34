/**
 * Which lanes have mail that is due. A lane is the waiting mail of one organization to one domain with one
 * priority: what a claim takes from, in order of age.
 *
 * No question here looks at mail that is not due or that nobody may send now more than once. `arrivals` reads what
 * became due since the last look, and again for a while, because a row is seen when its transaction commits and not
 * when it is due. `patrol` jumps from lane to lane through the index, a bounded number at a time, and finds what
 * arrivals cannot: mail of a worker that died, and everything there is when a worker starts. Reads only.
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import { PRIORITIES } from './states.ts';

export interface Lane {
  readonly domain: string;
  readonly organizationId: string;
  readonly priority: number;
}

export interface Arrivals {
  readonly lanes: readonly Lane[];
  /** The database's time up to which they were read. */
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

/** Lanes with mail that became due after `sinceMs` less `lookBackMs`; before the first look `sinceMs` is null. */
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

/** The first entry of a lane in the index is its oldest mail, so one probe a lane tells whether it has any due. */
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

export interface Patrol {
  readonly dueLanes: readonly Lane[];
  /** Where to go on; null when the end was reached. */
  readonly next: Lane | null;
}

/** Looks at up to `count` lanes after one, from the first lane on when there is none. */
export async function patrol(db: Sql, after: Lane | null, count: number): Promise<Patrol> {
  const { domain, organizationId, priority } = after ?? { domain: '', organizationId: '', priority: -1 };
  const rows = await db.many(selectNextLanes, [domain, organizationId, priority, count]);
  const last = rows.at(-1);
  return {
    dueLanes: rows.filter((row) => row.due).map(toLane),
    next: last === undefined || rows.length < count ? null : toLane(last),
  };
}

/** One text for a lane; tabs occur in none of its parts. */
export function laneText({ domain, organizationId, priority }: Lane): string {
  return `${domain}\t${organizationId}\t${priority}`;
}

/** The lane that `laneText` gave the text of; null for anything else. */
export function laneOf(text: string): Lane | null {
  const [domain, organizationId, priority, ...more] = text.split('\t');
  const rank = Number(priority);
  if (!domain || !organizationId || !priority || more.length > 0) return null;
  return rank in PRIORITIES ? { domain, organizationId, priority: rank } : null;
}

function toLane({ domain, organization_id: organizationId, priority }: LaneRow): Lane {
  return { domain, organizationId, priority };
}
