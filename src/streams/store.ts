/** The one writer of `streams`. */
import { type Sql, sql } from '../kit/database/sql.ts';
import { PRIORITIES, type Priority, priorityRank } from '../outbox/states.ts';
import type { Stream } from './stream.ts';

interface StreamRow {
  readonly name: string;
  readonly description: string | null;
  readonly priority: number;
  readonly created_at: Date;
}

const COLUMNS = 'name, description, priority, created_at';

const list = sql<StreamRow>(
  'streams.list',
  `SELECT ${COLUMNS} FROM streams WHERE organization_id = $1 ORDER BY name`,
);

const byName = sql<StreamRow>(
  'streams.by_name',
  `SELECT ${COLUMNS} FROM streams WHERE organization_id = $1 AND name = $2`,
);

const insert = sql<StreamRow>(
  'streams.insert',
  `INSERT INTO streams (organization_id, name, description, priority, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (organization_id, name) DO NOTHING RETURNING ${COLUMNS}`,
);

/** One that is there by itself gets a row when it is changed. */
const put = sql<StreamRow>(
  'streams.put',
  `INSERT INTO streams (organization_id, name, description, priority, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (organization_id, name) DO UPDATE SET
     description = excluded.description, priority = excluded.priority
   RETURNING ${COLUMNS}`,
);

const remove = sql('streams.delete', 'DELETE FROM streams WHERE organization_id = $1 AND name = $2');

export interface StreamSettings {
  readonly name: string;
  readonly description: string | null;
  readonly priority: Priority;
}

export async function listStreams(db: Sql, organizationId: string): Promise<Stream[]> {
  return (await db.many(list, [organizationId])).map(toStream);
}

export async function findStream(db: Sql, organizationId: string, name: string): Promise<Stream | undefined> {
  const row = await db.maybeOne(byName, [organizationId, name]);
  return row && toStream(row);
}

/** Undefined where there is one of that name. */
export async function insertStream(
  db: Sql,
  organizationId: string,
  { name, description, priority }: StreamSettings,
  at: Date,
): Promise<Stream | undefined> {
  const row = await db.maybeOne(insert, [organizationId, name, description, priorityRank(priority), at]);
  return row && toStream(row);
}

export async function putStream(
  db: Sql,
  organizationId: string,
  { name, description, priority }: StreamSettings,
  at: Date,
): Promise<Stream> {
  return toStream(await db.one(put, [organizationId, name, description, priorityRank(priority), at]));
}

export async function deleteStream(db: Sql, organizationId: string, name: string): Promise<boolean> {
  return (await db.exec(remove, [organizationId, name])) > 0;
}

function toStream({ name, description, priority, created_at }: StreamRow): Stream {
  return { name, description, priority: PRIORITIES[priority] as Priority, createdAt: created_at };
}
