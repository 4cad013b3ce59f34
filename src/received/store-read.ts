/** Reads received mail. Reads only. */

import { adHoc, likeText, type Sql, sql, Where } from '../database/sql.ts';
import { PIECE_BYTES } from '../database/value-pieces.ts';
import type { MailAuthentication, MailScans, ReceivedDetails } from './received-email.ts';

type ReceivedState = 'waiting' | 'read' | 'unreadable';

export interface ReceivedRow {
  readonly organization_id: string;
  readonly id: string;
  readonly received_at: Date;
  readonly state: ReceivedState;
  readonly mail_from: string;
  readonly recipients: readonly string[];
  readonly route_ids: readonly string[];
  readonly remote_address: string;
  readonly helo: string;
  readonly secured: boolean;
  readonly size: number;
  readonly from_email: string | null;
  readonly from_name: string | null;
  readonly subject: string | null;
  readonly message_id: string | null;
  readonly details: ReceivedDetails | null;
  readonly authentication: MailAuthentication | null;
  readonly scans: MailScans | null;
  readonly automatic: boolean;
  readonly problem: string | null;
  readonly conversation_id: string;
  readonly reply_to_email_id: string | null;
  /** Null if the mail was not sent to a reply address. */
  readonly token_email_id: string | null;
  readonly has_source: boolean;
}

export interface FullReceivedRow extends ReceivedRow {
  readonly text: string | null;
  readonly html: string | null;
  readonly reply: string | null;
}

const COLUMNS = `organization_id, id, received_at, state, mail_from, recipients, route_ids, remote_address, helo, secured,
  size, from_email, from_name, subject, message_id, details, authentication, scans, automatic, problem, conversation_id,
  reply_to_email_id, token_email_id, raw IS NOT NULL AS has_source`;

const selectOne = sql<FullReceivedRow>(
  'received.find',
  `SELECT ${COLUMNS}, text, html, reply FROM received_emails WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

/** For webhooks: for several organizations at once, with shortened texts. */
const selectThese = sql<FullReceivedRow>(
  'received.find_these',
  `SELECT ${COLUMNS}, left(text, $3) AS text, left(html, $3) AS html, left(reply, $3) AS reply FROM received_emails m
   JOIN unnest($1::text[], $2::uuid[]) AS these(o, i) ON m.organization_id = these.o AND m.id = these.i`,
  { home: 'cell', organization: '$1' },
);

/** In pieces, because the driver decodes each value from hexadecimal in one go. */
const selectSource = sql<{ piece: Buffer | null }>(
  'received.source',
  `SELECT substring(m.raw FROM n * ${PIECE_BYTES} + 1 FOR ${PIECE_BYTES}) AS piece
   FROM received_emails m
   LEFT JOIN LATERAL generate_series(0, (octet_length(m.raw) - 1) / ${PIECE_BYTES}) AS n ON true
   WHERE m.organization_id = $1 AND m.id = $2 ORDER BY n`,
  { home: 'cell', organization: '$1' },
);

export interface ReceivedFilter {
  /** The id of the last mail of the previous page. */
  readonly beforeId: string | null;
  readonly routeId: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly conversationId: string | null;
  /** Matches the subject or the sender. */
  readonly search: string | null;
  readonly limit: number;
}

/** Newest first. */
export function listReceived(
  db: Sql,
  organizationId: string,
  filter: ReceivedFilter,
): Promise<ReceivedRow[]> {
  const where = new Where().add('organization_id = ?', organizationId);
  if (filter.beforeId !== null) where.add('id < ?', filter.beforeId);
  if (filter.routeId !== null) where.add('? = ANY (route_ids)', filter.routeId);
  if (filter.from !== null) where.add('lower(from_email) = lower(?)', filter.from);
  if (filter.to !== null) where.add('lower(?) = ANY (recipients)', filter.to);
  if (filter.conversationId !== null) where.add('conversation_id = ?', filter.conversationId);
  if (filter.search !== null) {
    const pattern = `%${likeText(filter.search)}%`;
    where.add('subject ILIKE ? OR from_email ILIKE ? OR from_name ILIKE ?', pattern, pattern, pattern);
  }
  const text = `SELECT ${COLUMNS} FROM received_emails ${where} ORDER BY id DESC LIMIT ${where.param(filter.limit)}`;
  return db.many(adHoc<ReceivedRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

export function findReceived(
  db: Sql,
  organizationId: string,
  id: string,
): Promise<FullReceivedRow | undefined> {
  return db.maybeOne(selectOne, [organizationId, id]);
}

export function findThese(
  db: Sql,
  these: readonly { readonly organizationId: string; readonly id: string }[],
  maxChars: number,
): Promise<FullReceivedRow[]> {
  return db.many(selectThese, [these.map((one) => one.organizationId), these.map(({ id }) => id), maxChars]);
}

/** Undefined if there is no such mail, null if its retention has expired. */
export async function sourceOf(
  db: Sql,
  organizationId: string,
  id: string,
): Promise<Buffer | null | undefined> {
  const rows = await db.many(selectSource, [organizationId, id]);
  if (rows.length === 0) return undefined;
  const pieces = rows.flatMap(({ piece }) => piece ?? []);
  return pieces.length < rows.length ? null : Buffer.concat(pieces);
}
