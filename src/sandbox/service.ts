/** Reading and emptying an organization's sandbox inbox. */
import type { Sql } from '../kit/database/sql.ts';
import { parseAddress } from '../kit/message/address.ts';
import { isUuid } from '../kit/runtime/ids.ts';
import { ServiceError } from '../kit/service-error.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { checkAuthentication, type SandboxNames } from './authentication.ts';
import { parseMessage } from './parsed-message.ts';
import type { InboxQuery, Item, SandboxMessage } from './schema.ts';
import {
  deleteMessages,
  type FullMessageRow,
  findMessage,
  listMessages,
  type MessageRow,
  type SandboxReader,
} from './store.ts';

export interface Inbox {
  readonly items: Item[];
  readonly total: number;
}

export async function listInbox(db: Sql, reader: SandboxReader, query: InboxQuery): Promise<Inbox> {
  const { page, limit } = query;
  const { rows, total } = await listMessages(db, reader, {
    to: query.to === undefined ? undefined : asDelivered(query.to),
    limit,
    offset: (page - 1) * limit,
  });
  return { items: rows.map(itemOf), total };
}

export async function readMessage(
  db: Sql,
  reader: SandboxReader,
  id: string,
  names: SandboxNames,
): Promise<SandboxMessage> {
  const row = await findOrThrow(db, reader, id);
  const [parsed, authentication] = await Promise.all([
    parseMessage(row.raw),
    checkAuthentication(row.raw, row.from_email, names),
  ]);
  const { headers, addresses, html, text, attachments } = parsed;
  const seen = { return_path: row.mail_from, authentication };
  return { ...itemOf(row), ...seen, addresses, headers, html, text, attachments };
}

export async function readRaw(db: Sql, reader: SandboxReader, id: string): Promise<Buffer> {
  return (await findOrThrow(db, reader, id)).raw;
}

export async function emptyInbox(db: Sql, reader: SandboxReader): Promise<{ deleted: number }> {
  return { deleted: await deleteMessages(db, reader) };
}

async function findOrThrow(db: Sql, reader: SandboxReader, id: string): Promise<FullMessageRow> {
  const row = isUuid(id) ? await findMessage(db, reader, id) : undefined;
  if (row === undefined) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Mail goes out with its domain in ASCII; people look for it as they wrote it. */
function asDelivered(address: string): string {
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
    received_at: row.received_at,
  };
}
