/** The one writer of `streams`. */
import { type Sql, sql } from '../database/sql.ts';
import { PRIORITIES, type Priority, priorityRank } from '../outbox/states.ts';
import type { Stream } from './stream.ts';

interface StreamRow {
  readonly name: string;
  readonly description: string | null;
  readonly priority: number;
  readonly messages_per_minute: number | null;
  readonly messages_per_hour: number | null;
  readonly created_at: Date;
}

const COLUMNS = 'name, description, priority, messages_per_minute, messages_per_hour, created_at';

const list = sql<StreamRow>(
  'streams.list',
  `SELECT ${COLUMNS} FROM streams WHERE organization_id = $1 ORDER BY name`,
  { home: 'cell', organization: '$1' },
);

const byName = sql<StreamRow>(
  'streams.by_name',
  `SELECT ${COLUMNS} FROM streams WHERE organization_id = $1 AND name = $2`,
  { home: 'cell', organization: '$1' },
);

const INSERT = `INSERT INTO streams (organization_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const insert = sql<StreamRow>(
  'streams.insert',
  `${INSERT}
   ON CONFLICT (organization_id, name) DO NOTHING RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

/** A built-in stream gets a row when it is first changed. */
const put = sql<StreamRow>(
  'streams.put',
  `${INSERT}
   ON CONFLICT (organization_id, name) DO UPDATE SET
     description = excluded.description, priority = excluded.priority,
     messages_per_minute = excluded.messages_per_minute, messages_per_hour = excluded.messages_per_hour
   RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

const remove = sql('streams.delete', 'DELETE FROM streams WHERE organization_id = $1 AND name = $2', {
  home: 'cell',
  organization: '$1',
});

export type StreamSettings = Omit<Stream, 'createdAt'>;

export async function listStreams(db: Sql, organizationId: string): Promise<Stream[]> {
  return (await db.many(list, [organizationId])).map(toStream);
}

export async function findStream(db: Sql, organizationId: string, name: string): Promise<Stream | undefined> {
  const row = await db.maybeOne(byName, [organizationId, name]);
  return row && toStream(row);
}

/** Undefined when a stream of that name exists. */
export async function insertStream(
  db: Sql,
  organizationId: string,
  settings: StreamSettings,
  at: Date,
): Promise<Stream | undefined> {
  const row = await db.maybeOne(insert, [organizationId, ...columnsOf(settings), at]);
  return row && toStream(row);
}

export async function putStream(
  db: Sql,
  organizationId: string,
  settings: StreamSettings,
  at: Date,
): Promise<Stream> {
  return toStream(await db.one(put, [organizationId, ...columnsOf(settings), at]));
}

export async function deleteStream(db: Sql, organizationId: string, name: string): Promise<boolean> {
  return (await db.exec(remove, [organizationId, name])) > 0;
}

function columnsOf({ name, description, priority, messagesPerMinute, messagesPerHour }: StreamSettings) {
  return [name, description, priorityRank(priority), messagesPerMinute, messagesPerHour];
}

function toStream(row: StreamRow): Stream {
  return {
    name: row.name,
    description: row.description,
    priority: PRIORITIES[row.priority] as Priority,
    messagesPerMinute: row.messages_per_minute,
    messagesPerHour: row.messages_per_hour,
    createdAt: row.created_at,
  };
}
