/** The one writer of `sign_in_attempts`. All processes share these counts. */
import { type Sql, sql } from '../../database/sql.ts';

const begin = sql<{ refused: Date | null }>(
  'sign_in_attempts.begin',
  'SELECT begin_sign_in($1::bytea[], $2::int[], $3, $4) AS refused',
  { home: 'control' },
);

const refund = sql(
  'sign_in_attempts.refund',
  `UPDATE sign_in_attempts AS a SET count = greatest(0, a.count - 1)
   FROM (SELECT key FROM sign_in_attempts WHERE key = ANY ($1::bytea[]) AND until > $2 ORDER BY key FOR UPDATE) AS mine
   WHERE a.key = mine.key`,
  { home: 'control' },
);

const removeExpired = sql('sign_in_attempts.expire', 'DELETE FROM sign_in_attempts WHERE until <= $1', {
  home: 'control',
});

export interface Ceiling {
  readonly key: Buffer;
  readonly limit: number;
}

/** Counts an attempt towards every ceiling. When one is reached, counts nothing and returns when its window ends. */
export async function beginAttempt(
  db: Sql,
  ceilings: readonly Ceiling[],
  at: { readonly now: Date; readonly ends: Date },
): Promise<Date | null> {
  const keys = ceilings.map(({ key }) => key);
  const limits = ceilings.map(({ limit }) => limit);
  return (await db.one(begin, [keys, limits, at.now, at.ends])).refused;
}

export async function refundAttempt(db: Sql, ceilings: readonly Ceiling[], now: Date): Promise<void> {
  await db.exec(refund, [ceilings.map(({ key }) => key), now]);
}

export async function removeExpiredAttempts(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeExpired, [new Date(nowMs)]);
}
