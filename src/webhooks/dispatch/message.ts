/** What an endpoint is told: the event, and of its email what tells it apart. The same bytes at every attempt. */

import type { Metadata, Tag } from '../../emails/email.ts';
import { GROUP } from '../../emails/store-read.ts';
import { type EventRow, eventId, eventView } from '../../events/read.ts';
import { type Sql, sql } from '../../kit/database/sql.ts';
import { TEST_TYPE } from '../endpoints/schema.ts';
import { publicType } from '../endpoints/view.ts';
import type { WebhookClaim } from '../queue.ts';

export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

interface ToldRow extends EventRow {
  email_id: string;
  subject: string;
  tags: readonly Tag[] | null;
  metadata: Metadata | null;
  unsubscribe_group: string | null;
}

/** The ids' bounds let the planner leave out the weeks that are not asked for. */
const select = sql<ToldRow>(
  'webhooks.told',
  `SELECT ev.id, ev.type, ev.position, ev.recipient, ev.mx_host, ev.smtp_code, ev.smtp_message, ev.enhanced_code,
          ev.reason, ev.attempt, ev.tls, ev.tls_certificate, ev.next_attempt_at, ev.user_agent, ev.created_at, ev.email_id, e.subject, e.tags,
          e.metadata, ${GROUP} AS unsubscribe_group
   FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS asked(o, e, i)
   JOIN events ev ON ev.organization_id = asked.o AND ev.email_id = asked.e AND ev.id = asked.i
     AND ev.email_id BETWEEN $4 AND $5
   JOIN emails e ON e.organization_id = asked.o AND e.id = asked.e AND e.id BETWEEN $4 AND $5`,
);

/** By the event's id. What is missing was removed with its email. */
export async function loadMessages(
  db: Sql,
  claims: readonly WebhookClaim[],
): Promise<Map<string, WebhookMessage>> {
  const messages = new Map<string, WebhookMessage>();
  const about = new Map<string, WebhookClaim & { readonly emailId: string }>();
  for (const claim of claims) {
    if (claim.payload !== null) messages.set(claim.eventId, readyMessage(claim, claim.payload));
    else if (claim.emailId === null) messages.set(claim.eventId, testMessage(claim));
    else about.set(claim.eventId, { ...claim, emailId: claim.emailId });
  }
  for (const row of await loadRows(db, [...about.values()])) messages.set(row.id, toMessage(row));
  return messages;
}

async function loadRows(
  db: Sql,
  claims: readonly (WebhookClaim & { readonly emailId: string })[],
): Promise<ToldRow[]> {
  if (claims.length === 0) return [];
  const emailIds = claims.map((claim) => claim.emailId);
  const sorted = emailIds.toSorted();
  return db.many(select, [
    claims.map((claim) => claim.organizationId),
    emailIds,
    claims.map((claim) => claim.eventId),
    sorted[0],
    sorted.at(-1),
  ]);
}

function toMessage({
  email_id,
  subject,
  tags,
  metadata,
  unsubscribe_group,
  ...event
}: ToldRow): WebhookMessage {
  const about = { email_id, subject, tags: tags ?? [], metadata: metadata ?? {}, unsubscribe_group };
  const data = { ...eventView(event), ...about };
  return message(event.id, publicType(event.type), event.created_at, data);
}

function readyMessage({ eventId: id, eventType, createdAt }: WebhookClaim, payload: object): WebhookMessage {
  const type = publicType(eventType);
  return message(id, type, createdAt, { id: eventId(id), type, ...payload, created_at: createdAt });
}

function testMessage({ eventId: id, endpointId, createdAt }: WebhookClaim): WebhookMessage {
  return message(id, TEST_TYPE, createdAt, { id: eventId(id), webhook_id: endpointId, test: true });
}

function message(id: string, type: string, at: Date, data: unknown): WebhookMessage {
  return { id: eventId(id), body: JSON.stringify({ type, timestamp: at.toISOString(), data }) };
}
