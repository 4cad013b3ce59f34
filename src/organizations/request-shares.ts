/**
 * The one writer of `request_shares`: the requests that the processes of a role have taken for each caller in the
 * current minute. Concurrent requests for shares are batched into one statement at a time.
 */
import { type Sql, sql } from '../database/sql.ts';
import { Batcher } from '../runtime/work-loop/batcher.ts';

/** The request of the limiter (`http/rate-shares.ts`). */
interface ShareRequest {
  readonly caller: string;
  readonly uncounted: number;
  readonly limit: number;
  readonly parts: number;
}

interface ShareGiven {
  readonly minute: number;
  readonly granted: number;
  readonly left: number;
  readonly endsInMs: number;
}

interface ShareRow {
  readonly caller: string;
  readonly minute: number;
  readonly granted: number;
  readonly taken: number;
  readonly ends_in_ms: number;
}

/**
 * A share is the remaining allowance, divided by the number of parts and rounded up. The count restarts every minute.
 */
const take = sql<ShareRow>(
  'request_shares.take',
  `INSERT INTO request_shares AS s (caller, minute, taken, granted)
   SELECT caller, floor(extract(epoch FROM now()) / 60)::int, owed + share, share
   FROM unnest($1::text[], $2::int[]) AS asked (caller, owed),
        LATERAL (SELECT ceil(greatest(0, $3::int - owed)::float8 / $4::int)::int AS share) AS first
   ORDER BY caller
   ON CONFLICT (caller) DO UPDATE SET (minute, taken, granted) = (
     SELECT EXCLUDED.minute, before + share, share
     FROM (SELECT CASE WHEN s.minute = EXCLUDED.minute THEN s.taken ELSE 0 END
                  + EXCLUDED.taken - EXCLUDED.granted AS before) AS known,
          LATERAL (SELECT ceil(greatest(0, $3::int - before)::float8 / $4::int)::int AS share) AS next)
   RETURNING caller, minute, granted, taken,
     60000 - (floor(extract(epoch FROM now()) * 1000)::bigint % 60000)::int AS ends_in_ms`,
  { home: 'control' },
);

const MAX_TOGETHER = 500;
/** Above this many queued requests, callers get no share, as when the database is unavailable. */
const MAX_WAITING = 10_000;

/** `role`: the processes of one role share a count. */
export function createShareTaker(db: Sql, role: string): (wanted: ShareRequest) => Promise<ShareGiven> {
  const batcher = new Batcher<ShareRequest, ShareGiven>({
    flush: (wanted) => takeShares(db, role, wanted),
    maxBatchItems: MAX_TOGETHER,
    maxQueuedItems: MAX_WAITING,
  });
  return (wanted) => batcher.add(wanted);
}

/** Each caller appears once. All callers have the same limit, that of the installation. */
async function takeShares(db: Sql, role: string, wanted: readonly ShareRequest[]): Promise<ShareGiven[]> {
  const { limit = 0, parts = 1 } = wanted.at(-1) ?? {};
  const callers = wanted.map(({ caller }) => `${role} ${caller}`);
  const rows = await db.many(take, [callers, wanted.map(({ uncounted }) => uncounted), limit, parts]);
  const given = new Map(rows.map((row) => [row.caller, row]));
  return callers.map((caller) => {
    const row = given.get(caller);
    if (row === undefined) throw new Error(`No share was given for ${caller}.`);
    const { minute, granted, taken, ends_in_ms: endsInMs } = row;
    return { minute, granted, left: Math.max(0, limit - taken), endsInMs };
  });
}
