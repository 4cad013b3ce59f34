/** The one writer of `password_resets`. A row leaves when it is used, when another one is, or by a chore. */
import { type Sql, sql } from '../../database/sql.ts';

/** At most so many within a while: nobody's mailbox is to be flooded. */
const insert = sql(
  'password_resets.insert',
  `INSERT INTO password_resets (hash, user_id, created_at, expires_at)
   SELECT $1, $2, $3, $4
   WHERE (SELECT count(*) FROM password_resets WHERE user_id = $2::text AND created_at > $5) < $6::int`,
);

const find = sql<{ user_id: string }>(
  'password_resets.find',
  'SELECT user_id FROM password_resets WHERE hash = $1 AND expires_at > $2',
);

const take = sql<{ user_id: string }>(
  'password_resets.take',
  'DELETE FROM password_resets WHERE hash = $1 AND expires_at > $2 RETURNING user_id',
);

const removeOfUser = sql('password_resets.remove_of_user', 'DELETE FROM password_resets WHERE user_id = $1');

const removeExpired = sql(
  'password_resets.remove_expired',
  'DELETE FROM password_resets WHERE expires_at <= $1',
);

export interface NewReset {
  readonly hash: Buffer;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** False when there were `most` since then already. */
export async function insertReset(
  db: Sql,
  { hash, userId, createdAt, expiresAt }: NewReset,
  limit: { readonly most: number; readonly since: Date },
): Promise<boolean> {
  return (await db.exec(insert, [hash, userId, createdAt, expiresAt, limit.since, limit.most])) === 1;
}

export async function findReset(db: Sql, hash: Buffer, now: Date): Promise<string | undefined> {
  return (await db.maybeOne(find, [hash, now]))?.user_id;
}

/** Whose it was; nobody can use it again. */
export async function takeReset(db: Sql, hash: Buffer, now: Date): Promise<string | undefined> {
  return (await db.maybeOne(take, [hash, now]))?.user_id;
}

export async function removeResetsOf(db: Sql, userId: string): Promise<void> {
  await db.exec(removeOfUser, [userId]);
}

export async function removeExpiredResets(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeExpired, [new Date(nowMs)]);
}
