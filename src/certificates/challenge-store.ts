/** The only writer of `acme_challenges`: the challenge responses, shared by all processes. */
import { type Sql, sql } from '../database/sql.ts';

export interface OpenChallenge {
  readonly token: string;
  readonly name: string;
  readonly key_authorization: string;
}

const insert = sql(
  'acme_challenges.open',
  `INSERT INTO acme_challenges (token, name, key_authorization, expires_at)
   VALUES ($1, $2, $3, now() + interval '1 hour')
   ON CONFLICT (token) DO UPDATE SET key_authorization = excluded.key_authorization, expires_at = excluded.expires_at`,
  { home: 'control' },
);

const remove = sql(
  'acme_challenges.close',
  'DELETE FROM acme_challenges WHERE token = ANY($1::text[]) OR expires_at < now()',
  { home: 'control' },
);

const find = sql<{ key_authorization: string }>(
  'acme_challenges.find',
  'SELECT key_authorization FROM acme_challenges WHERE token = $1 AND expires_at > now()',
  { home: 'control' },
);

const list = sql<OpenChallenge>(
  'acme_challenges.list',
  'SELECT token, name, key_authorization FROM acme_challenges WHERE expires_at > now()',
  { home: 'control' },
);

export async function openChallenge(
  db: Sql,
  { token, name, key_authorization }: OpenChallenge,
): Promise<void> {
  await db.exec(insert, [token, name, key_authorization]);
}

/** Also closes challenges left by killed processes. */
export async function closeChallenges(db: Sql, tokens: readonly string[]): Promise<void> {
  await db.exec(remove, [tokens]);
}

export async function findKeyAuthorization(db: Sql, token: string): Promise<string | null> {
  return (await db.maybeOne(find, [token]))?.key_authorization ?? null;
}

export function openChallenges(db: Pick<Sql, 'many'>): Promise<OpenChallenge[]> {
  return db.many(list);
}
