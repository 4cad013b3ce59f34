/**
 * Records which content was moved out of PostgreSQL and restored to it. The one writer of `moved_contents`.
 *
 * Requeueing an email locks the row of its content (`requeue.ts`), so that needed content is never moved: moving locks the
 * same row first and only then checks that the email is final.
 */
import { byteaArray } from '../../database/binary-array.ts';
import { organizationsIn, type Week } from '../../database/partitions.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { idsOf, type Span } from '../lists/list-window.ts';
import { span } from '../outcomes.ts';
import { reopenWeekOf } from './content-weeks.ts';
import { AMONG } from './movable.ts';
import { objectName, weekBeginning } from './object-name.ts';
import { removeObjects, takeObjects } from './object-removals.ts';
import type { KeptContent } from './packed-content.ts';

const lockContents = sql<{ email_id: string }>(
  'email_contents.lock_to_move',
  `SELECT email_id FROM email_contents WHERE ${AMONG} ORDER BY email_id FOR UPDATE`,
  { home: 'cell', organization: '$1' },
);

const selectFinal = sql<{ id: string }>(
  'emails.final_among',
  `SELECT id FROM emails
   WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND id BETWEEN $3 AND $4 AND status <> 'queued'`,
  { home: 'cell', organization: '$1' },
);

const insertMoved = sql(
  'moved_contents.insert',
  `INSERT INTO moved_contents (organization_id, email_id, object_id, seal_key, content_bytes, message_id)
   SELECT $1, new.* FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::int4[], $6::text[]) AS new`,
  { home: 'cell', organization: '$1' },
);

const deleteContents = (['email_attachments', 'email_contents'] as const).map((table) =>
  sql(`${table}.move`, `DELETE FROM ${table} WHERE ${AMONG}`, { home: 'cell', organization: '$1' }),
);

const selectMoved = sql<MovedRow>(
  'moved_contents.among',
  `SELECT email_id, object_id, seal_key FROM moved_contents WHERE ${AMONG}`,
  { home: 'cell', organization: '$1' },
);

const deleteMoved = sql<{ email_id: string; object_id: string }>(
  'moved_contents.remove',
  `DELETE FROM moved_contents WHERE ${AMONG} RETURNING email_id, object_id`,
  { home: 'cell', organization: '$1' },
);

const selectOldest = sql<{ email_id: string }>(
  'moved_contents.oldest',
  `SELECT email_id FROM moved_contents WHERE organization_id = $1 AND email_id >= $2 AND email_id < $3
   ORDER BY email_id LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const selectAfter = sql<{ email_id: string }>(
  'moved_contents.after',
  `SELECT email_id FROM moved_contents WHERE organization_id = $1 AND email_id > $2 AND email_id < $3
   ORDER BY email_id LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const countAll = sql<MovedCount>(
  'moved_contents.count',
  `SELECT count(*) AS emails, coalesce(sum(content_bytes), 0)::bigint AS bytes
   FROM moved_contents WHERE email_id >= $1 AND email_id < $2`,
  { home: 'cell' },
);

const countOf = sql<MovedCount>(
  'moved_contents.count_of',
  `SELECT count(*) AS emails, coalesce(sum(content_bytes), 0)::bigint AS bytes
   FROM moved_contents WHERE organization_id = $1 AND email_id >= $2 AND email_id < $3`,
  { home: 'cell', organization: '$1' },
);

const deleteOne = sql(
  'moved_contents.bring_back',
  'DELETE FROM moved_contents WHERE organization_id = $1 AND email_id = $2 AND object_id = $3',
  { home: 'cell', organization: '$1' },
);

const insertContent = sql(
  'email_contents.bring_back',
  `INSERT INTO email_contents (organization_id, email_id, html, text, headers, template_data, mime)
   VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7)`,
  { home: 'cell', organization: '$1' },
);

const insertFiles = sql(
  'email_attachments.bring_back',
  `INSERT INTO email_attachments (organization_id, email_id, position, filename, content_type, content_id, content)
   SELECT $1, $2, new.* FROM unnest($3::smallint[], $4::text[], $5::text[], $6::text[], $7::bytea[]) AS new`,
  { home: 'cell', organization: '$1' },
);

const selectAny = sql<{ found: boolean }>(
  'moved_contents.any',
  'SELECT EXISTS (SELECT FROM moved_contents) AS found',
  { home: 'cell' },
);

export interface MovedRow {
  readonly email_id: string;
  readonly object_id: string;
  readonly seal_key: Buffer;
}

export interface MovedCount {
  readonly emails: number;
  /** The size in PostgreSQL. */
  readonly bytes: number;
}

/** About what one transaction removes in a few milliseconds. */
const REMOVED_PER_STEP = 500;

/** Content whose object was uploaded. */
export interface PutContent {
  readonly emailId: string;
  readonly objectId: string;
  readonly sealKey: Buffer;
  readonly contentBytes: number;
  readonly messageId: string | null;
}

/**
 * Records the new location of content. Returns the emails whose content moved; content that was removed or is needed here stays
 * as it is.
 */
export async function keepMoved(
  tx: Sql,
  organizationId: string,
  put: readonly PutContent[],
): Promise<readonly PutContent[]> {
  const ids = put.map(({ emailId }) => emailId);
  const among = [organizationId, ids, ...span(ids)];
  const locked = new Set((await tx.many(lockContents, among)).map(({ email_id }) => email_id));
  const final = new Set((await tx.many(selectFinal, among)).map(({ id }) => id));
  const wanted = put.filter(({ emailId }) => locked.has(emailId) && final.has(emailId));
  const nameOf = ({ emailId, objectId }: PutContent) => objectName(organizationId, emailId, objectId);
  const taken = await takeObjects(tx, organizationId, wanted.map(nameOf));
  const moved = wanted.filter((one) => taken.has(nameOf(one)));
  if (moved.length === 0) return [];
  const movedIds = moved.map(({ emailId }) => emailId);
  await tx.exec(insertMoved, [
    ...[organizationId, movedIds, moved.map(({ objectId }) => objectId)],
    ...[byteaArray(moved.map(({ sealKey }) => sealKey)), moved.map(({ contentBytes }) => contentBytes)],
    moved.map(({ messageId }) => messageId),
  ]);
  for (const statement of deleteContents)
    await tx.exec(statement, [organizationId, movedIds, ...span(movedIds)]);
  return moved;
}

/** The emails among these whose content was moved. */
export function movedAmong(
  db: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<MovedRow[]> {
  if (emailIds.length === 0) return Promise.resolve([]);
  return db.many(selectMoved, [organizationId, emailIds, ...span(emailIds)]);
}

/** Emails with moved content after the given one, in order. */
export async function movedAfter(
  db: Sql,
  organizationId: string,
  after: string,
  before: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.many(selectAfter, [organizationId, after, before, limit]);
  return rows.map(({ email_id }) => email_id);
}

/** Counts in one cell: for all organizations or for one, within a range of ids. */
export function countMoved(
  db: Sql,
  only: string | undefined,
  from: string,
  before: string,
): Promise<MovedCount> {
  return only === undefined ? db.one(countAll, [from, before]) : db.one(countOf, [only, from, before]);
}

/** For any organization. */
export async function anyMoved(db: Sql): Promise<boolean> {
  return (await db.one(selectAny)).found;
}

/** False if the content was removed, or has moved to another object. */
export async function restoreContentRows(
  tx: Sql,
  organizationId: string,
  { email_id: emailId, object_id: objectId }: MovedRow,
  { files, ...content }: KeptContent,
  nowMs: number,
): Promise<boolean> {
  if ((await tx.exec(deleteOne, [organizationId, emailId, objectId])) === 0) return false;
  const { html, text, headers, template_data, mime } = content;
  await tx.exec(insertContent, [organizationId, emailId, html, text, headers, template_data, mime]);
  if (files.length > 0)
    await tx.exec(insertFiles, [
      ...[organizationId, emailId, files.map((file) => file.position), files.map((file) => file.filename)],
      ...[files.map((file) => file.content_type), files.map((file) => file.content_id)],
      byteaArray(files.map((file) => file.content)),
    ]);
  await removeObjects(tx, organizationId, [objectName(organizationId, emailId, objectId)], nowMs);
  await reopenWeekOf(tx, organizationId, emailId, nowMs);
  return true;
}

/** Removes these emails' moved content with their objects. */
export async function removeMoved(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
  nowMs: number,
): Promise<number> {
  if (emailIds.length === 0) return 0;
  const gone = await tx.many(deleteMoved, [organizationId, emailIds, ...span(emailIds)]);
  const names = gone.map(({ email_id, object_id }) => objectName(organizationId, email_id, object_id));
  await removeObjects(tx, organizationId, names, nowMs);
  return gone.length;
}

/** Removes the oldest moved content of a span, with its objects. Returns how many. */
export async function removeMovedStep(
  tx: Sql,
  organizationId: string,
  within: Span,
  nowMs: number,
): Promise<number> {
  const { from, before } = idsOf(within);
  const rows = await tx.many(selectOldest, [organizationId, from, before, REMOVED_PER_STEP]);
  const ids = rows.map(({ email_id }) => email_id);
  return removeMoved(tx, organizationId, ids, nowMs);
}

/** Part of the transaction that empties the week. The prefix identifies its objects. */
export async function removeObjectsOfWeek(tx: Sql, week: Week, nowMs: number): Promise<void> {
  for (const id of await organizationsIn(tx, week, 'moved_contents'))
    await removeObjects(tx, id, [weekBeginning(id, week.name)], nowMs);
}
