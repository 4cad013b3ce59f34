/** What people call whoever acts: a user's address, the name of a key. Reads only. */
import { type Sql, sql } from '../kit/database/sql.ts';

const select = sql<{ name: string | null }>(
  'accounts.actor_name',
  'SELECT coalesce((SELECT email FROM users WHERE id = $1), (SELECT name FROM api_keys WHERE id = $1)) AS name',
);

/** By the id of a user or a key; the id itself where that is gone. */
export async function actorNameOf(db: Sql, id: string): Promise<string> {
  return (await db.one(select, [id])).name ?? id;
}
