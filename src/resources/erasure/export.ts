/** Everything that an organization holds about an address. Reads only. */
import { type Sql, sql } from '../../database/sql.ts';
import { BEFORE_ALL, emailsOf } from './emails-of.ts';
import type { AddressToErase } from './erase.ts';

const MINE = `organization_id = $1 AND email_id = ANY ($2::uuid[])`;
type Row = Record<string, unknown>;

const selectEmails = sql<Row>(
  'emails.export',
  `SELECT e.id, e.status, e.created_at, e.scheduled_at, e.from_email, e.from_name, e.subject, e.addresses, e.tags,
          e.metadata, e.template_id, c.html, c.text, c.headers, c.template_data,
          (SELECT jsonb_agg(jsonb_build_object('filename', a.filename, 'content_type', a.content_type,
                            'size', length(a.content)) ORDER BY a.position)
           FROM email_attachments a WHERE a.organization_id = e.organization_id AND a.email_id = e.id) AS attachments
   FROM emails e LEFT JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
   WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[]) ORDER BY e.id`,
);
const selectEvents = sql<Row>(
  'events.export',
  `SELECT email_id, type, recipient, created_at, smtp_code, smtp_message, reason, user_agent FROM events
   WHERE ${MINE} AND lower(recipient) = lower($3) ORDER BY email_id, id`,
);
const selectAttempts = sql<Row>(
  'attempts.export',
  `SELECT a.email_id, a.attempt, a.outcome, a.reason, a.detail, a.conversation, a.created_at
   FROM attempts a JOIN recipients r USING (organization_id, email_id, position)
   WHERE a.organization_id = $1 AND a.email_id = ANY ($2::uuid[]) AND lower(r.address) = lower($3)
   ORDER BY a.email_id, a.id`,
);
const selectElsewhere = sql<Row>(
  'recipients.export',
  `SELECT
     (SELECT to_jsonb(s) - 'organization_id' - 'key' FROM suppressions s
      WHERE s.organization_id || s.key = $1::text || $2::text) AS suppression,
     (SELECT to_jsonb(m) - 'organization_id' - 'key' FROM mailbox_failures m
      WHERE m.key = $2 AND m.organization_id = $1) AS full_mailbox,
     (SELECT coalesce(jsonb_agg(to_jsonb(l) - 'organization_id' ORDER BY l.id), '[]') FROM audit_log l
      WHERE l.organization_id = $1 AND (position(lower($3) IN lower(l.target_name)) > 0
        OR position(lower($3) IN lower(l.details::text)) > 0)) AS audit_log,
     (SELECT coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'subject', b.subject, 'received_at', b.received_at)
                                ORDER BY b.id), '[]') FROM sandbox_messages b
      WHERE b.organization_id = $1 AND lower(b.rcpt_to) = lower($3)) AS sandbox_messages`,
);

/** So much is put together in memory; an address with more is exported with the command. */
export const MOST_EXPORTED = 1_000;

export interface Exported {
  readonly email: string;
  /** There is more than is shown. */
  readonly truncated: boolean;
  readonly emails: readonly Row[];
  readonly events: readonly Row[];
  readonly attempts: readonly Row[];
  readonly suppression: unknown;
  readonly full_mailbox: unknown;
  readonly audit_log: unknown;
  readonly sandbox_messages: unknown;
}

export async function exportAddress(
  db: Sql,
  { organizationId, email, key }: AddressToErase,
  most: number = MOST_EXPORTED,
): Promise<Exported> {
  const found = await emailsOf(db, organizationId, email, BEFORE_ALL, most + 1);
  const ids = found.slice(0, most);
  const elsewhere = await db.one(selectElsewhere, [organizationId, key, email]);
  return {
    email,
    truncated: found.length > most,
    emails: await db.many(selectEmails, [organizationId, ids]),
    events: await db.many(selectEvents, [organizationId, ids, email]),
    attempts: await db.many(selectAttempts, [organizationId, ids, email]),
    suppression: elsewhere.suppression,
    full_mailbox: elsewhere.full_mailbox,
    audit_log: elsewhere.audit_log,
    sandbox_messages: elsewhere.sandbox_messages,
  };
}
