/** Reading and emptying an organization's sandbox inbox. */
import type { Sql } from '../database/sql.ts';
import type { CheckedLink, LinkChecks } from '../message-checks/check-links.ts';
import { checkMessage, type MessageChecks } from '../message-checks/check-message.ts';
import { findingLinks } from '../message-checks/links.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { parseAddress } from '../protocols/message/address.ts';
import { type ParsedAttachment, parseMessage } from '../protocols/message/reading/parsed-message.ts';
import { isUuid } from '../runtime/ids.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { checkAuthentication, type SandboxNames } from './authentication.ts';
import { findingCodes } from './codes.ts';
import type { ActionResult, RecipientActions, RequestedAction } from './recipient-actions.ts';
import type { InboxQuery, Item, SandboxMessage } from './schema.ts';
import type { InboxSearch } from './search.ts';
import {
  deleteMessage,
  deleteMessages,
  type FullMessageRow,
  findMessage,
  listMessages,
  type MessageRow,
  markMessage,
  markMessages,
  type SandboxReader,
} from './store.ts';

interface Inbox {
  readonly items: Item[];
  readonly total: number;
}

export async function listInbox(
  db: Sql,
  reader: SandboxReader,
  query: InboxQuery,
  search: InboxSearch,
): Promise<Inbox> {
  const { page, limit, q: words = '', unread = false } = query;
  const offset = (page - 1) * limit;
  const filter = { to: query.to === undefined ? null : asDelivered(query.to), unread };
  if (words.trim() !== '') {
    const found = await search.find(reader, words, filter);
    return { items: found.slice(offset, offset + limit).map(itemOf), total: found.length };
  }
  const { rows, total } = await listMessages(db, reader, { ...filter, limit, offset });
  return { items: rows.map(itemOf), total };
}

/** The message as displayed, with its files unconverted. */
export interface ReadMessage extends Omit<SandboxMessage, 'attachments'> {
  readonly attachments: readonly ParsedAttachment[];
}

export async function readMessage(
  db: Sql,
  reader: SandboxReader,
  id: string,
  names: SandboxNames,
): Promise<ReadMessage> {
  const row = await findOrThrow(db, reader, id);
  const [parsed, authentication] = await Promise.all([
    parseMessage(row.raw),
    checkAuthentication(row.raw, row.from_email, names),
  ]);
  const { headers, addresses, html, text, attachments } = parsed;
  const seen = { return_path: row.mail_from, authentication };
  const found = { links: await inTurns(findingLinks(parsed)), codes: await inTurns(findingCodes(parsed)) };
  return { ...itemOf(row), ...seen, addresses, headers, html, text, attachments, ...found };
}

export async function readRaw(db: Sql, reader: SandboxReader, id: string): Promise<Buffer> {
  return (await findOrThrow(db, reader, id)).raw;
}

export async function checkOne(db: Sql, reader: SandboxReader, id: string): Promise<MessageChecks> {
  const { raw, size } = await findOrThrow(db, reader, id);
  return checkMessage(size, await parseMessage(raw));
}

/**
 * Reads the message before it makes requests to the outside, so that no database connection is held
 * meanwhile.
 */
export async function checkLinksOf(
  db: Sql,
  reader: SandboxReader,
  id: string,
  checks: LinkChecks,
): Promise<CheckedLink[]> {
  const { raw } = await findOrThrow(db, reader, id);
  return checks.check(reader.organizationId, await inTurns(findingLinks(await parseMessage(raw))));
}

export async function actOn(
  db: Sql,
  reader: SandboxReader,
  id: string,
  asked: RequestedAction,
  actions: RecipientActions,
): Promise<ActionResult> {
  return actions.act(await findOrThrow(db, reader, id), asked);
}

export async function markOne(db: Sql, reader: SandboxReader, id: string, isRead: boolean): Promise<void> {
  if (!isUuid(id) || !(await markMessage(db, reader, id, isRead))) throw new ServiceError('NOT_FOUND');
}

export async function markAll(db: Sql, reader: SandboxReader, isRead: boolean): Promise<{ changed: number }> {
  return { changed: await markMessages(db, reader, isRead) };
}

export async function deleteOne(db: Sql, reader: SandboxReader, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteMessage(db, reader, id))) throw new ServiceError('NOT_FOUND');
}

export async function emptyInbox(db: Sql, reader: SandboxReader): Promise<{ deleted: number }> {
  return { deleted: await deleteMessages(db, reader) };
}

async function findOrThrow(db: Sql, reader: SandboxReader, id: string): Promise<FullMessageRow> {
  const row = isUuid(id) ? await findMessage(db, reader, id) : undefined;
  if (row === undefined) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Mail is sent with its domain in ASCII; users search for the form they wrote. */
export function asDelivered(address: string): string {
  const parsed = parseAddress(address);
  return parsed.ok ? parsed.email : address;
}

function itemOf(row: MessageRow): Item {
  return {
    id: row.id,
    email_id: row.email_id,
    account_mail: row.organization_id === INSTALLATION,
    from: { email: row.from_email, name: row.from_name },
    to: row.rcpt_to,
    subject: row.subject,
    size: row.size,
    is_read: row.read_at !== null,
    received_at: row.received_at,
  };
}
