/** Groups mail into conversations. The one writer of `conversation_emails`. */

import { type Sql, sql } from '../database/sql.ts';
import type { NewEmail } from '../emails/email.ts';
import { isUuid } from '../runtime/ids.ts';
import type { Threaded } from './store.ts';

const insert = sql(
  'conversations.join',
  `INSERT INTO conversation_emails (organization_id, email_id, conversation_id)
   SELECT organization_id, email_id, conversation_id
   FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS t(organization_id, email_id, conversation_id)
   ON CONFLICT (organization_id, email_id) DO NOTHING`,
  { home: 'cell', organization: '$1' },
);

/** Checks each email separately: a join would read every email. */
const removeGone = sql(
  'conversations.delete_orphaned',
  `DELETE FROM conversation_emails d USING (
     SELECT c.organization_id, c.email_id FROM conversation_emails c
     WHERE (SELECT true FROM emails e WHERE e.organization_id = c.organization_id AND e.id = c.email_id) IS NULL
     LIMIT $1
   ) AS gone WHERE d.organization_id = gone.organization_id AND d.email_id = gone.email_id`,
  { home: 'cell' },
);

/** The emails sent by this organization, in the order of the query. */
const selectSent = sql<{ id: string; conversation_id: string | null }>(
  'conversations.sent',
  `SELECT e.id, c.conversation_id FROM unnest($2::uuid[]) WITH ORDINALITY AS asked(id, place)
   JOIN emails e ON e.organization_id = $1 AND e.id = asked.id
   LEFT JOIN conversation_emails c ON c.organization_id = e.organization_id AND c.email_id = e.id
   ORDER BY asked.place LIMIT 1`,
  { home: 'cell', organization: '$1' },
);

const selectReceived = sql<{ conversation_id: string }>(
  'conversations.received',
  `SELECT conversation_id FROM received_emails
   WHERE organization_id = $1 AND message_id = ANY ($2::text[]) AND id <> $3 ORDER BY id DESC LIMIT 1`,
  { home: 'cell', organization: '$1' },
);

export interface ConversationItem {
  readonly id: string;
  readonly kind: 'received' | 'sent';
  readonly subject: string | null;
  readonly from: string | null;
  readonly at: Date;
}

/** The email that started the conversation has no row: its id is the conversation's. */
const selectItems = sql<ConversationItem>(
  'conversations.items',
  `SELECT id, kind, subject, "from", at FROM (
     (SELECT m.id, 'received' AS kind, m.subject, coalesce(m.from_email, m.mail_from) AS "from", m.received_at AS at
      FROM received_emails m WHERE m.organization_id = $1 AND m.conversation_id = $2 ORDER BY m.id DESC LIMIT $3)
     UNION ALL
     (SELECT e.id, 'sent', e.subject, e.from_email, e.created_at FROM emails e
      WHERE e.organization_id = $1 AND (e.id = $2 OR e.id IN (
        SELECT c.email_id FROM conversation_emails c WHERE c.organization_id = $1 AND c.conversation_id = $2
        ORDER BY c.email_id DESC LIMIT $3)))
   ) AS items ORDER BY at, id`,
  { home: 'cell', organization: '$1' },
);

/** Postrider's own Message-IDs begin with the id of their email. */
const OWN_MESSAGE_ID = /^<([0-9a-f-]{36})@[^<>@\s]{1,253}>$/i;

interface Answers {
  readonly organizationId: string;
  readonly id: string;
  /** The email of the reply address that the mail was sent to. */
  readonly tokenEmailId: string | null;
  /** Message-IDs, the nearest first. */
  readonly references: readonly string[];
}

/**
 * Finds the email that a received mail answers. A reply address identifies it reliably; otherwise the sender's References
 * header is used.
 */
export async function threadOf(db: Sql, mail: Answers): Promise<Threaded> {
  const { organizationId, id, tokenEmailId, references } = mail;
  const named = references.flatMap((one) => OWN_MESSAGE_ID.exec(one)?.[1]?.toLowerCase() ?? []);
  const ids = [...(tokenEmailId === null ? [] : [tokenEmailId]), ...named.filter(isUuid)];
  const sent = ids.length === 0 ? undefined : await db.maybeOne(selectSent, [organizationId, ids]);
  if (sent !== undefined) return { conversationId: sent.conversation_id ?? sent.id, replyToEmailId: sent.id };
  const received =
    references.length === 0 ? undefined : await db.maybeOne(selectReceived, [organizationId, references, id]);
  return { conversationId: received?.conversation_id ?? id, replyToEmailId: null };
}

/** In the transaction that accepts the emails. Emails without a conversation are ignored. */
export async function joinConversations(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const joining = emails.filter(({ conversationId }) => conversationId !== undefined);
  if (joining.length === 0) return;
  await tx.exec(insert, [
    joining.map(({ organizationId }) => organizationId),
    joining.map(({ id }) => id),
    joining.map(({ conversationId }) => conversationId),
  ]);
}

/** Removes at most this many rows of removed emails. Returns how many. */
export function detachDeletedEmails(tx: Sql, limit: number): Promise<number> {
  return tx.exec(removeGone, [limit]);
}

/** The newest items, oldest first. */
export function conversationItems(
  db: Sql,
  organizationId: string,
  conversationId: string,
  limit: number,
): Promise<ConversationItem[]> {
  return db.many(selectItems, [organizationId, conversationId, limit]);
}
