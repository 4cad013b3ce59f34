/**
 * With `store-removal.ts`, the one writer of `received_emails` and `received_days`.
 *
 * | state      |                                                                                        |
 * | ---------- | -------------------------------------------------------------------------------------- |
 * | waiting    | due at `due_at`: at once, or when the claim of another process expires                 |
 * | read       | final                                                                                  |
 * | unreadable | final; only its envelope and its source are stored                                     |
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { ArrivedMail, MailAuthentication, MailScans, ReadMail } from './received-email.ts';

/** A mail claimed for reading; `sourceOf` returns the message itself. */
export interface ClaimedMail {
  readonly organizationId: string;
  readonly id: string;
  readonly receivedAt: Date;
  readonly tries: number;
  readonly mailFrom: string;
  readonly recipients: readonly string[];
  readonly remoteAddress: string;
  readonly helo: string;
  readonly tokenEmailId: string | null;
}

export interface UnreadMail extends ClaimedMail {
  readonly raw: Buffer;
}

const insert = sql<{ id: string }>(
  'received.insert',
  `WITH new AS (
     INSERT INTO received_emails (organization_id, id, received_at, mail_from, recipients, route_ids, remote_address,
                                  helo, secured, token_email_id, size, stored_bytes, raw, digest, conversation_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::int, $11::int, $12, $13, $2)
     ON CONFLICT (organization_id, digest) WHERE digest IS NOT NULL DO NOTHING
     RETURNING id
   ), counted AS (
     INSERT INTO received_days AS d (organization_id, day, messages, bytes)
     SELECT $1, ($3::timestamptz AT TIME ZONE 'UTC')::date, 1, $11::int FROM new
     ON CONFLICT (organization_id, day) DO UPDATE
       SET messages = d.messages + excluded.messages, bytes = d.bytes + excluded.bytes
   )
   SELECT id FROM new`,
  { home: 'cell', organization: '$1' },
);

const claim = sql<ClaimedMail>(
  'received.claim',
  `WITH lined_up AS (
     SELECT organization_id, id, row_number() OVER (PARTITION BY organization_id ORDER BY due_at) AS turn, due_at
     FROM received_emails WHERE state = 'waiting' AND due_at <= now() AND ${notMigrating()}
   ), due AS (
     SELECT m.organization_id, m.id FROM lined_up JOIN received_emails m USING (organization_id, id)
     WHERE m.state = 'waiting' AND m.due_at <= now()
     ORDER BY lined_up.turn, lined_up.due_at LIMIT $1 FOR UPDATE OF m SKIP LOCKED
   )
   UPDATE received_emails m SET tries = tries + 1, due_at = now() + $2 * interval '1 millisecond'
   FROM due WHERE m.organization_id = due.organization_id AND m.id = due.id
   RETURNING m.organization_id AS "organizationId", m.id, m.received_at AS "receivedAt", m.tries,
             m.mail_from AS "mailFrom", m.recipients, m.remote_address AS "remoteAddress", m.helo,
             m.token_email_id AS "tokenEmailId"`,
  { home: 'cell' },
);

/** Does nothing if another process has already recorded the mail. */
const recordRead = sql(
  'received.record',
  `UPDATE received_emails SET state = 'read', from_email = $3, from_name = $4, subject = $5, text = $6, html = $7,
     reply = $8, message_id = $9, details = $10, authentication = $11, scans = $12, automatic = $13,
     conversation_id = $14, reply_to_email_id = $15
   WHERE organization_id = $1 AND id = $2 AND state = 'waiting'`,
  { home: 'cell', organization: '$1' },
);

const recordUnreadable = sql(
  'received.record_unreadable',
  `UPDATE received_emails SET state = 'unreadable', problem = $3, reply_to_email_id = $4, conversation_id = $5
   WHERE organization_id = $1 AND id = $2 AND state = 'waiting'`,
  { home: 'cell', organization: '$1' },
);

/** The current usage; beyond the limit, mail is refused with 452. */
const selectUsage = sql<{ messages: number; bytes: number }>(
  'received.usage',
  `SELECT coalesce(sum(messages) FILTER (WHERE day = (now() AT TIME ZONE 'UTC')::date), 0)::int AS messages,
          coalesce(sum(bytes), 0)::float8 AS bytes
   FROM received_days WHERE organization_id = $1`,
  { home: 'cell', organization: '$1' },
);

const countWaiting = sql<{ all: number; own: number }>(
  'received.count_waiting',
  `SELECT count(*) AS all, count(*) FILTER (WHERE organization_id = $1) AS own
   FROM received_emails WHERE state = 'waiting'`,
  { home: 'cell', organization: '$1' },
);

const moveDue = sql(
  'received.set_back',
  `UPDATE received_emails SET due_at = now() WHERE state = 'waiting' AND due_at > now() + interval '10 minutes'`,
  { home: 'cell' },
);

/** False if the mail is already stored: its sender missed the first confirmation. */
export async function insertReceived(tx: Sql, mail: ArrivedMail): Promise<boolean> {
  const { receivers, raw } = mail;
  const row = await tx.maybeOne(insert, [
    mail.organizationId,
    mail.id,
    new Date(mail.receivedAtMs),
    mail.mailFrom,
    receivers.map(({ address }) => address),
    receivers.flatMap(({ routeId }) => (routeId === null ? [] : [routeId])),
    mail.remoteAddress,
    mail.helo,
    mail.secured,
    receivers.find(({ emailId }) => emailId !== null)?.emailId ?? null,
    raw.length,
    raw,
    mail.digest,
  ]);
  return row !== undefined;
}

/** Claims waiting mail for the given time. Organizations take turns, so that much mail for one does not delay the others. */
export function claimReceived(db: Sql, limit: number, leaseMs: number): Promise<ClaimedMail[]> {
  return db.many(claim, [limit, leaseMs]);
}

export interface Threaded {
  readonly conversationId: string;
  readonly replyToEmailId: string | null;
}

/** False if another process has already recorded it. */
export async function recordReceived(
  tx: Sql,
  waiting: Pick<UnreadMail, 'organizationId' | 'id'>,
  mail: ReadMail,
  found: {
    readonly authentication: MailAuthentication;
    readonly scans: MailScans;
    readonly threaded: Threaded;
  },
): Promise<boolean> {
  const { conversationId, replyToEmailId } = found.threaded;
  const rows = await tx.exec(recordRead, [
    waiting.organizationId,
    waiting.id,
    mail.from?.email ?? null,
    mail.from?.name ?? null,
    mail.subject,
    mail.text,
    mail.html,
    mail.reply,
    mail.messageId,
    JSON.stringify(mail.details),
    JSON.stringify(found.authentication),
    JSON.stringify(found.scans),
    mail.automatic,
    conversationId,
    replyToEmailId,
  ]);
  return rows === 1;
}

export async function recordAsUnreadable(
  tx: Sql,
  { organizationId, id }: Pick<UnreadMail, 'organizationId' | 'id'>,
  problem: string,
  { conversationId, replyToEmailId }: Threaded,
): Promise<boolean> {
  const rows = await tx.exec(recordUnreadable, [organizationId, id, problem, replyToEmailId, conversationId]);
  return rows === 1;
}

/** The organization's mail received today, and the total size stored. */
export function receivedUsage(db: Sql, organizationId: string) {
  return db.one(selectUsage, [organizationId]);
}

/** The unread mail, in total and of one organization. */
export function receivedWaiting(db: Sql, organizationId: string): Promise<{ all: number; own: number }> {
  return db.one(countWaiting, [organizationId]);
}

/** After the database's clock was set back, due mail stays due. */
export async function setReceivedBack(db: Sql): Promise<void> {
  await db.exec(moveDue);
}
