/**
 * The one writer of `account_links`: mailed links that set a new password or confirm the address. A row is deleted
 * when its link is used, when another link of the same user is used, or by a chore.
 */
import { type Sql, sql } from '../../database/sql.ts';

export type LinkPurpose = 'password' | 'address';

/** Limits the number of links per period, so that a mailbox cannot be flooded. */
const insert = sql(
  'account_links.insert',
  `INSERT INTO account_links (hash, user_id, created_at, expires_at, purpose, mailed)
   SELECT $1, $2, $3, $4, $5, $6
   WHERE (SELECT count(*) FROM account_links
          WHERE user_id = $2::text AND purpose = $5::text AND created_at > $7) < $8::int`,
  { home: 'control' },
);

const find = sql<ConsumedLink>(
  'account_links.find',
  'SELECT user_id, mailed FROM account_links WHERE hash = $1 AND purpose = $2 AND expires_at > $3',
  { home: 'control' },
);

const take = sql<ConsumedLink>(
  'account_links.take',
  'DELETE FROM account_links WHERE hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING user_id, mailed',
  { home: 'control' },
);

const removeOfUser = sql('account_links.remove_of_user', 'DELETE FROM account_links WHERE user_id = $1', {
  home: 'control',
});

const removeExpired = sql(
  'account_links.remove_expired',
  'DELETE FROM account_links WHERE expires_at <= $1',
  { home: 'control' },
);

interface NewLink {
  readonly hash: Buffer;
  readonly userId: string;
  readonly purpose: LinkPurpose;
  /** Whether the link was sent only by mail, to the address of its user. */
  readonly mailed: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface ConsumedLink {
  readonly user_id: string;
  readonly mailed: boolean;
}

/** False when `most` links have been created since then. */
export async function insertLink(
  db: Sql,
  { hash, userId, purpose, mailed, createdAt, expiresAt }: NewLink,
  limit: { readonly most: number; readonly since: Date },
): Promise<boolean> {
  const values = [hash, userId, createdAt, expiresAt, purpose, mailed, limit.since, limit.most];
  return (await db.exec(insert, values)) === 1;
}

export function findLink(db: Sql, hash: Buffer, purpose: LinkPurpose, now: Date) {
  return db.maybeOne(find, [hash, purpose, now]);
}

/** Returns the user of the link and invalidates the link. */
export function consumeLink(db: Sql, hash: Buffer, purpose: LinkPurpose, now: Date) {
  return db.maybeOne(take, [hash, purpose, now]);
}

export async function removeLinksOf(db: Sql, userId: string): Promise<void> {
  await db.exec(removeOfUser, [userId]);
}

export async function removeExpiredLinks(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeExpired, [new Date(nowMs)]);
}
