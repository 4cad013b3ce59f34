/**
 * The one writer of `canaries` and `canary_shares`: the progress of canaries. Callers lock a canary's row before they change
 * it.
 */
import { type Sql, sql } from '../../database/sql.ts';
import type { PathCounts } from './decide.ts';
import { type Canary, type CanaryPath, type CanaryPercents, percentKey } from './plan.ts';

export type PathSums = Partial<Readonly<Record<CanaryPath, PathCounts>>>;

export interface ShareRow {
  readonly provider: string;
  readonly percent: number;
  readonly since: Date;
  readonly age_ms: number;
  readonly paused_at: Date | null;
  readonly falls: number;
  readonly counted: PathSums;
  readonly usual: PathCounts | null;
}

export interface CanaryRow {
  readonly name: string;
  readonly transport: string;
  readonly paused_at: Date | null;
}

const selectPercents = sql<{ name: string; to: string; provider: string; percent: number }>(
  'canary_shares.percents',
  `SELECT c.name, c.transport AS "to", s.provider, s.percent FROM canary_shares s JOIN canaries c ON c.name = s.canary`,
  { home: 'control' },
);

const insert = sql(
  'canaries.add',
  'INSERT INTO canaries (name, transport) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
  { home: 'control' },
);

const takeTurn = sql<CanaryRow>(
  'canaries.take_turn',
  `SELECT name, transport, paused_at FROM canaries
   WHERE name = $1 AND looked_at NOT BETWEEN now() - $2 * interval '1 ms' AND now() FOR UPDATE SKIP LOCKED`,
  { home: 'control' },
);

const lock = sql<CanaryRow>(
  'canaries.lock',
  'SELECT name, transport, paused_at FROM canaries WHERE name = $1 FOR UPDATE',
  { home: 'control' },
);

const look = sql('canaries.look', 'UPDATE canaries SET looked_at = now(), transport = $2 WHERE name = $1', {
  home: 'control',
});

const pause = sql(
  'canaries.pause',
  'UPDATE canaries SET paused_at = CASE WHEN $2::boolean THEN now() END WHERE name = $1',
  { home: 'control' },
);

const selectAll = sql<CanaryRow>('canaries.list', 'SELECT name, transport, paused_at FROM canaries', {
  home: 'control',
});

const removeOthers = sql('canaries.remove_others', 'DELETE FROM canaries WHERE name <> ALL ($1::text[])', {
  home: 'control',
});

const removeShares = sql('canary_shares.remove', 'DELETE FROM canary_shares WHERE canary = $1', {
  home: 'control',
});

const selectShares = sql<ShareRow>(
  'canary_shares.of_canary',
  `SELECT provider, percent, since, (extract(epoch FROM now() - since) * 1000)::float8 AS age_ms, paused_at, falls,
          counted, usual
   FROM canary_shares WHERE canary = $1 ORDER BY provider`,
  { home: 'control' },
);

const putShare = sql(
  'canary_shares.put',
  `INSERT INTO canary_shares AS s (canary, provider, percent, falls, usual, since) VALUES ($1, $2, $3, $4, $5, now())
   ON CONFLICT (canary, provider) DO UPDATE SET percent = excluded.percent, falls = excluded.falls, since = excluded.since,
     usual = coalesce(excluded.usual, s.usual), counted = '{}'`,
  { home: 'control' },
);

const putCounted = sql(
  'canary_shares.count',
  `UPDATE canary_shares s SET counted = new.counted FROM unnest($2::text[], $3::jsonb[]) AS new(provider, counted)
   WHERE s.canary = $1 AND s.provider = new.provider`,
  { home: 'control' },
);

/** `$3` null: all providers. */
const pauseShares = sql(
  'canary_shares.pause',
  `UPDATE canary_shares SET paused_at = CASE WHEN $2::boolean THEN now() END
   WHERE canary = $1 AND ($3::text IS NULL OR provider = $3)`,
  { home: 'control' },
);

/** Ends the pause after a fall, so that the share rises at once. */
const endRests = sql(
  'canary_shares.end_rests',
  'UPDATE canary_shares SET falls = 0 WHERE canary = $1 AND ($2::text IS NULL OR provider = $2) AND percent = 0',
  { home: 'control' },
);

export async function readPercents(db: Sql): Promise<CanaryPercents> {
  const rows = await db.many(selectPercents);
  return new Map(rows.map(({ provider, percent, ...canary }) => [percentKey(canary, provider), percent]));
}

/** Locks the row until the transaction ends. Undefined if another worker is reviewing it, or did so recently. */
export async function lockCanaryReview(
  tx: Sql,
  { name, to }: Canary,
  everyMs: number,
): Promise<CanaryRow | undefined> {
  await tx.exec(insert, [name, to]);
  const found = await tx.maybeOne(takeTurn, [name, everyMs]);
  if (found === undefined) return undefined;
  if (found.transport !== to) await tx.exec(removeShares, [name]);
  await tx.exec(look, [name, to]);
  return found;
}

/** Locks the row until the transaction ends. */
export async function lockCanary(tx: Sql, { name, to }: Canary): Promise<CanaryRow> {
  await tx.exec(insert, [name, to]);
  return tx.one(lock, [name]);
}

export function listCanaries(db: Sql): Promise<CanaryRow[]> {
  return db.many(selectAll);
}

export function sharesOf(db: Sql, canary: string): Promise<ShareRow[]> {
  return db.many(selectShares, [canary]);
}

interface NewShare {
  readonly provider: string;
  readonly percent: number;
  readonly falls: number;
  /** Null keeps the stored value. */
  readonly usual: PathCounts | null;
}

/** Starts now. */
export async function putCanaryShare(tx: Sql, canary: string, share: NewShare): Promise<void> {
  const { provider, percent, falls, usual } = share;
  await tx.exec(putShare, [canary, provider, percent, falls, usual && JSON.stringify(usual)]);
}

export async function keepCounted(
  tx: Sql,
  canary: string,
  all: readonly { readonly provider: string; readonly counted: PathSums }[],
): Promise<void> {
  if (all.length === 0) return;
  await tx.exec(putCounted, [
    canary,
    all.map(({ provider }) => provider),
    all.map(({ counted }) => JSON.stringify(counted)),
  ]);
}

/**
 * Pauses one provider, or all. The canary's own flag is for future providers: one provider may be resumed while the others stay
 * paused.
 */
export async function setPaused(
  tx: Sql,
  canary: string,
  provider: string | null,
  isPaused: boolean,
): Promise<void> {
  if (provider === null) await tx.exec(pause, [canary, isPaused]);
  await tx.exec(pauseShares, [canary, isPaused, provider]);
}

export async function endRest(tx: Sql, canary: string, provider: string | null): Promise<void> {
  await tx.exec(endRests, [canary, provider]);
}

export async function deleteCanariesExcept(db: Sql, names: readonly string[]): Promise<number> {
  return db.exec(removeOthers, [names]);
}
