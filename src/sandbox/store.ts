/** The only writer of `sandbox_messages`. */

import { type Sql, sql } from '../database/sql.ts';
import { joined, joinPieces, type ValuePiece } from '../database/value-pieces.ts';
import { INSTALLATION } from '../organizations/installation.ts';

export interface CapturedMessage {
  readonly organizationId: string;
  readonly id: string;
  readonly emailId: string;
  readonly position: number;
  readonly receivedAt: Date;
  readonly mailFrom: string;
  readonly rcptTo: string;
  readonly fromEmail: string;
  readonly fromName: string | null;
  readonly subject: string;
  readonly raw: Buffer;
}

export interface MessageRow {
  readonly organization_id: string;
  readonly id: string;
  readonly email_id: string;
  readonly size: number;
  readonly received_at: Date;
  readonly rcpt_to: string;
  readonly from_email: string;
  readonly from_name: string | null;
  readonly subject: string;
  readonly read_at: Date | null;
}

/** A row with the searchable beginning of the message. */
export interface SearchedRow extends MessageRow {
  readonly head: Buffer;
}

export interface FullMessageRow extends MessageRow {
  readonly mail_from: string;
  readonly raw: Buffer;
}

/** Null matches any recipient. */
export interface MessageFilter {
  readonly to: string | null;
  readonly unread: boolean;
}

/** The reader: a key of an organization, or one of its users. */
export interface SandboxReader {
  readonly organizationId: string;
  /** The address of the user's account; null for keys. */
  readonly address: string | null;
  readonly isOwner: boolean;
}

export const KEPT_MESSAGES = 1_000;

/**
 * All bodies are sent as one binary parameter and split in SQL: an array of bytea would be sent as escaped
 * hex, twice the bytes and many times the work.
 */
const insertRows = sql(
  'sandbox.insert',
  `INSERT INTO sandbox_messages (organization_id, id, email_id, position, received_at, mail_from, rcpt_to,
                                 from_email, from_name, subject, size, raw)
   SELECT m.organization_id, m.id, m.email_id, m.position, m.received_at, m.mail_from, m.rcpt_to,
          m.from_email, m.from_name, m.subject, m.size, substring($1::bytea FROM m.start FOR m.size)
   FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::smallint[], $6::timestamptz[], $7::text[], $8::text[],
               $9::text[], $10::text[], $11::text[], $12::integer[], $13::integer[])
     AS m (organization_id, id, email_id, position, received_at, mail_from, rcpt_to,
           from_email, from_name, subject, size, start)`,
  { home: 'cell', organization: '$2' },
);

const trimOrganization = sql(
  'sandbox.trim',
  `DELETE FROM sandbox_messages
   WHERE organization_id = $1
     AND id <= (SELECT id FROM sandbox_messages WHERE organization_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
  { home: 'cell', organization: '$1' },
);

/**
 * Visible mail: the organization's own; for users also the installation's notices to themselves, and for
 * owners the invites into the organization. Password reset links are visible to nobody, because reading one
 * gives access to the account.
 */
const VISIBLE = `(m.organization_id = $1 OR m.organization_id = '${INSTALLATION}' AND $2::text IS NOT NULL AND EXISTS (
     SELECT FROM emails e
     WHERE e.organization_id = m.organization_id AND e.id = m.email_id AND (
       e.metadata->>'kind' IN ('address_confirmation', 'security_notice')
         AND lower(m.rcpt_to) = $2
       OR $3::boolean AND e.metadata->>'kind' = 'invite' AND e.metadata->>'organization_id' = $1)))`;

const ITEM =
  'm.organization_id, m.id, m.email_id, m.size, m.received_at, m.rcpt_to, m.from_email, m.from_name, m.subject, m.read_at';

const TO = 'lower(m.rcpt_to) = lower($4)';
const UNREAD = '(NOT $5::boolean OR m.read_at IS NULL)';

const listPage = sql<MessageRow>(
  'sandbox.list',
  `SELECT ${ITEM} FROM sandbox_messages m WHERE ${VISIBLE} AND $4::text IS NULL AND ${UNREAD}
   ORDER BY m.id DESC LIMIT $6 OFFSET $7`,
  { home: 'cell', organization: '$1' },
);

const listPageTo = sql<MessageRow>(
  'sandbox.list_to',
  `SELECT ${ITEM} FROM sandbox_messages m WHERE ${VISIBLE} AND ${TO} AND ${UNREAD}
   ORDER BY m.id DESC LIMIT $6 OFFSET $7`,
  { home: 'cell', organization: '$1' },
);

const countAll = sql<{ count: number }>(
  'sandbox.count',
  `SELECT count(*) FROM sandbox_messages m WHERE ${VISIBLE} AND $4::text IS NULL AND ${UNREAD}`,
  { home: 'cell', organization: '$1' },
);

const countTo = sql<{ count: number }>(
  'sandbox.count_to',
  `SELECT count(*) FROM sandbox_messages m WHERE ${VISIBLE} AND ${TO} AND ${UNREAD}`,
  { home: 'cell', organization: '$1' },
);

/** Content beyond this size is not searched. */
const SEARCHED_BYTES = 128 * 1024;

const searchStep = sql<SearchedRow>(
  'sandbox.search',
  // Rows are selected first, so that no body is decompressed only for sorting.
  `SELECT ${ITEM}, substring(m.raw FROM 1 FOR ${SEARCHED_BYTES}) AS head
   FROM (
     SELECT m.organization_id, m.id FROM sandbox_messages m
     WHERE ${VISIBLE} AND ($4::text IS NULL OR ${TO}) AND ${UNREAD} AND ($6::uuid IS NULL OR m.id < $6)
     ORDER BY m.id DESC LIMIT $7
   ) AS chosen
   JOIN sandbox_messages m ON m.organization_id = chosen.organization_id AND m.id = chosen.id
   ORDER BY m.id DESC`,
  { home: 'cell', organization: '$1' },
);

const markOne = sql(
  'sandbox.mark',
  `UPDATE sandbox_messages m SET read_at = CASE WHEN $5 THEN coalesce(m.read_at, clock.now) END
   FROM (SELECT now() AS now) AS clock WHERE ${VISIBLE} AND m.id = $4`,
  { home: 'cell', organization: '$1' },
);

const markAll = sql(
  'sandbox.mark_all',
  `UPDATE sandbox_messages m SET read_at = CASE WHEN $4 THEN clock.now END
   FROM (SELECT now() AS now) AS clock WHERE ${VISIBLE} AND (m.read_at IS NULL) = $4`,
  { home: 'cell', organization: '$1' },
);

const deleteOne = sql('sandbox.delete_one', `DELETE FROM sandbox_messages m WHERE ${VISIBLE} AND m.id = $4`, {
  home: 'cell',
  organization: '$1',
});

const findOne = sql<Omit<FullMessageRow, 'raw'> & ValuePiece>(
  'sandbox.find',
  `SELECT ${ITEM}, m.mail_from, pieces.place, pieces.piece FROM sandbox_messages m ${joinPieces('m.raw')}
   WHERE ${VISIBLE} AND m.id = $4`,
  { home: 'cell', organization: '$1' },
);

const deleteAll = sql('sandbox.delete_all', `DELETE FROM sandbox_messages m WHERE ${VISIBLE}`, {
  home: 'cell',
  organization: '$1',
});

export async function insertMessages(db: Sql, messages: readonly CapturedMessage[]): Promise<void> {
  const column = <T>(read: (message: CapturedMessage) => T): T[] => messages.map(read);
  await db.exec(insertRows, [
    Buffer.concat(column((message) => message.raw)),
    column((message) => message.organizationId),
    column((message) => message.id),
    column((message) => message.emailId),
    column((message) => message.position),
    column((message) => message.receivedAt.toISOString()),
    column((message) => message.mailFrom),
    column((message) => message.rcptTo),
    column((message) => message.fromEmail),
    column((message) => message.fromName),
    column((message) => message.subject),
    column((message) => message.raw.length),
    startsOf(messages),
  ]);
}

/** Keeps the newest messages of one organization, and touches no other. */
export async function trimMessages(db: Sql, organizationId: string): Promise<number> {
  return db.exec(trimOrganization, [organizationId, KEPT_MESSAGES]);
}

export async function listMessages(
  db: Sql,
  reader: SandboxReader,
  query: MessageFilter & { readonly limit: number; readonly offset: number },
): Promise<{ rows: MessageRow[]; total: number }> {
  const { to, unread, limit, offset } = query;
  const asked = [...valuesOf(reader), to, unread];
  const [list, count] = to === null ? [listPage, countAll] : [listPageTo, countTo];
  const [rows, { count: total }] = await Promise.all([
    db.many(list, [...asked, limit, offset]),
    db.one(count, asked),
  ]);
  return { rows, total };
}

/**
 * The next batch with searchable content, newest first; `before` is the last message of the previous batch.
 */
export function searchedAfter(
  db: Sql,
  reader: SandboxReader,
  { to, unread, before, limit }: MessageFilter & { readonly before: string | null; readonly limit: number },
): Promise<SearchedRow[]> {
  return db.many(searchStep, [...valuesOf(reader), to, unread, before, limit]);
}

/** False when the message does not exist. */
export async function markMessage(
  db: Sql,
  reader: SandboxReader,
  id: string,
  isRead: boolean,
): Promise<boolean> {
  return (await db.exec(markOne, [...valuesOf(reader), id, isRead])) === 1;
}

export function markMessages(db: Sql, reader: SandboxReader, isRead: boolean): Promise<number> {
  return db.exec(markAll, [...valuesOf(reader), isRead]);
}

export async function deleteMessage(db: Sql, reader: SandboxReader, id: string): Promise<boolean> {
  return (await db.exec(deleteOne, [...valuesOf(reader), id])) === 1;
}

export async function findMessage(
  db: Sql,
  reader: SandboxReader,
  id: string,
): Promise<FullMessageRow | undefined> {
  const rows = await db.many(findOne, [...valuesOf(reader), id]);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { place: _place, piece: _piece, ...row } = first;
  return { ...row, raw: joined(rows) };
}

export async function deleteMessages(db: Sql, reader: SandboxReader): Promise<number> {
  return db.exec(deleteAll, valuesOf(reader));
}

function valuesOf({ organizationId, address, isOwner }: SandboxReader) {
  return [organizationId, address, isOwner];
}

/** Start offset of each body in the joined parameter; SQL counts from one. */
function startsOf(messages: readonly CapturedMessage[]): number[] {
  let next = 1;
  return messages.map((message) => {
    const start = next;
    next += message.raw.length;
    return start;
  });
}

const erase = sql(
  'sandbox.erase',
  'DELETE FROM sandbox_messages WHERE organization_id = $1 AND email_id = ANY ($2::uuid[])',
  { home: 'cell', organization: '$1' },
);

/** Deletes the captured messages of these emails. */
export async function eraseFromSandbox(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(erase, [organizationId, emailIds]);
}
