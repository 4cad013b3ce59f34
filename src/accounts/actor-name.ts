/** Display names of actors: a user's address, an API key's name. Reads only. */
import { type Sql, sql } from '../database/sql.ts';

const select = sql<{ name: string | null }>(
  'accounts.actor_name',
  'SELECT coalesce((SELECT email FROM users WHERE id = $1), (SELECT name FROM api_keys WHERE id = $1)) AS name',
  { home: 'control' },
);

const selectAll = sql<{ id: string; name: string }>(
  'accounts.actor_names',
  `SELECT id, email AS name FROM users WHERE id = ANY ($1::text[])
   UNION ALL SELECT id, name FROM api_keys WHERE id = ANY ($1::text[])`,
  { home: 'control' },
);

/** Ids that no user or key has are left out. */
export async function actorNames(db: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map((await db.many(selectAll, [ids])).map(({ id, name }) => [id, name]));
}

/** The name for the id of a user or key; the id itself when the user or key was deleted. */
export async function actorNameOf(db: Sql, id: string): Promise<string> {
  return (await db.one(select, [id])).name ?? id;
}
