/**
 * The one writer of `secret_keys` and `secret_key_holders`: when each master key becomes current, and which processes can read
 * which.
 */
import { type Sql, sql } from '../../database/sql.ts';
import type { KeyTurn } from '../../runtime/key-ring.ts';

interface KeyHolder {
  /** Such as `worker on mail-2 (4711)`. */
  readonly name: string;
  readonly key_ids: readonly string[];
}

/** Longer than the time between two reports of a busy process. */
const ALIVE_SECONDS = 15;
const FORGET_AFTER = '1 day';

interface TurnRow {
  readonly id: string;
  readonly from_ms: number;
}

const TURNS = `SELECT id, extract(epoch FROM current_from)::float8 * 1000 AS from_ms FROM secret_keys
  WHERE retired_at IS NULL ORDER BY current_from`;

const selectTurns = sql<TurnRow>('secret_keys.turns', TURNS, { home: 'control' });

/** The number of other processes of the same role, which is the prefix of the name. */
const OTHERS = `SELECT count(*)::int AS others FROM secret_key_holders
  WHERE process <> $1 AND split_part(name, ' ', 1) = split_part($2, ' ', 1)
    AND seen_at > now() - make_interval(secs => ${ALIVE_SECONDS})`;

const beat = sql<{ others: number; turns: readonly TurnRow[] }>(
  'secret_keys.beat',
  `WITH beat AS (
     INSERT INTO secret_key_holders (process, name, key_ids, seen_at) VALUES ($1, $2, $3::text[], now())
     ON CONFLICT (process) DO UPDATE SET key_ids = EXCLUDED.key_ids, seen_at = EXCLUDED.seen_at
   )
   SELECT others, coalesce((SELECT json_agg(turns) FROM (${TURNS}) AS turns), '[]') AS turns FROM (${OTHERS}) AS peers`,
  { home: 'control' },
);

const lockFirst = sql(
  'secret_keys.lock_first',
  `SELECT pg_advisory_xact_lock(hashtext('postrider.first_key'))`,
  { home: 'control' },
);

/** The key that exists before any rotation counts as always current. */
const insertFirst = sql(
  'secret_keys.first',
  `INSERT INTO secret_keys (id, current_from) SELECT $1, to_timestamp(0)
   WHERE NOT EXISTS (SELECT FROM secret_keys) ON CONFLICT DO NOTHING`,
  { home: 'control' },
);

const insertTurn = sql<TurnRow>(
  'secret_keys.add',
  `INSERT INTO secret_keys (id, current_from) VALUES ($1, now() + make_interval(secs => $2))
   ON CONFLICT (id) DO UPDATE SET current_from = secret_keys.current_from
   RETURNING id, extract(epoch FROM current_from)::float8 * 1000 AS from_ms`,
  { home: 'control' },
);

const markRetired = sql(
  'secret_keys.retire',
  'UPDATE secret_keys SET retired_at = now() WHERE id = $1 AND retired_at IS NULL',
  { home: 'control' },
);

const selectIds = sql<{ id: string }>('secret_keys.ids', 'SELECT id FROM secret_keys', { home: 'control' });

const selectHolders = sql<KeyHolder>(
  'secret_key_holders.alive',
  `SELECT name, key_ids FROM secret_key_holders
   WHERE seen_at > now() - make_interval(secs => ${ALIVE_SECONDS}) ORDER BY name`,
  { home: 'control' },
);

const removeHolder = sql(
  'secret_key_holders.remove',
  `DELETE FROM secret_key_holders WHERE process = $1 OR seen_at < now() - interval '${FORGET_AFTER}'`,
  { home: 'control' },
);

export async function keyTurns(db: Sql): Promise<KeyTurn[]> {
  return (await db.many(selectTurns)).map(toTurn);
}

/** In a transaction of its own: of two machines that start at once with different keys, one is the first. */
export async function noteFirstKey(tx: Sql, id: string): Promise<void> {
  await tx.exec(lockFirst);
  await tx.exec(insertFirst, [id]);
}

/**
 * Reports a live process and the keys it can read. Returns the schedule of keys, and how many other processes have its role.
 */
export async function reportHolder(
  db: Sql,
  process: string,
  name: string,
  keyIds: readonly string[],
): Promise<{ readonly turns: KeyTurn[]; readonly others: number }> {
  const { turns, others } = await db.one(beat, [process, name, [...keyIds]]);
  return { turns: turns.map(toTurn), others };
}

/** The key becomes current after this many seconds. A key that is already scheduled keeps its time. */
export async function giveTurn(db: Sql, id: string, inSeconds: number): Promise<KeyTurn> {
  return toTurn(await db.one(insertTurn, [id, inSeconds]));
}

export async function retireKey(db: Sql, id: string): Promise<void> {
  await db.exec(markRetired, [id]);
}

/** All keys that were ever current. */
export async function everUsedIds(db: Sql): Promise<ReadonlySet<string>> {
  return new Set((await db.many(selectIds)).map(({ id }) => id));
}

export function liveHolders(db: Sql): Promise<KeyHolder[]> {
  return db.many(selectHolders);
}

export async function removeKeyHolder(db: Sql, process: string): Promise<void> {
  await db.exec(removeHolder, [process]);
}

function toTurn({ id, from_ms: fromMs }: TurnRow): KeyTurn {
  return { id, fromMs };
}
