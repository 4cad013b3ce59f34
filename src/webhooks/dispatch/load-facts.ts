/** Loads the data of events for webhooks, many at once. Reads only. */

import { type Sql, sql } from '../../database/sql.ts';
import { type Metadata, STORED_OPTIONS, type Tag } from '../../emails/email.ts';
import { HEAD_BYTES, ownMessageId } from '../../emails/moved/movable.ts';
import type { MailOrigin } from '../../emails/origin.ts';
import { GROUP } from '../../emails/store-read.ts';
import { OWN_TAGS, STREAM, TRANSACTIONAL } from '../../emails/stream.ts';
import type { EventType } from '../../events/append.ts';
import { type EventRow, type Stored, serverReply } from '../../events/read.ts';
import { eventIn, outcomeIdOf } from '../../events/started.ts';
import { addressKeyOf, halvesOf } from '../../protocols/message/address.ts';
import { messageId } from '../../protocols/message/compose.ts';
import { storedEmail } from '../../protocols/message/stored.ts';
import { type AddressOf, suppressedOf } from '../../suppressions/suppression.ts';
import type { WebhookFormat } from '../endpoints/store.ts';
import type { WebhookClaim } from '../queue.ts';
import type { MailFacts } from './formats/mail-facts.ts';

export interface MessageRequest {
  readonly claim: WebhookClaim;
  readonly format: WebhookFormat;
}

/** The meanings of reasons, provided by the modules that decide on them. */
export interface ReasonMeanings {
  readonly meaningOf: (reason: string) => string | null;
  readonly provesDead: (reason: string) => boolean;
}

interface ToldRow extends EventRow {
  organization_id: string;
  email_id: string;
  batch_id: string | null;
  from_email: string;
  from_name: string | null;
  subject: string;
  email_created_at: Date;
  scheduled_at: Date | null;
  tags: readonly Tag[] | null;
  stream: string | null;
  metadata: Metadata | null;
  unsubscribe_group: string | null;
  template_id: string | null;
  origin: MailOrigin | null;
  is_first_open: boolean | null;
  head: Buffer | null;
  /** For a message whose content was moved. */
  kept_message_id: string | null;
}

/**
 * The bounds on ids let the planner prune other weeks. Earlier opens are looked up only for opens. The Message-ID ($6), which a
 * whole submitted message may have set, is read only for other services' formats.
 */
const select = sql<Stored<ToldRow> & { asked_id: string }>(
  'webhooks.load_facts',
  `SELECT asked.i AS asked_id, ev.id, ev.type, ev.position, ev.recipient, ev.mx_host, ev.smtp_code, ev.smtp_message, ev.enhanced_code,
          ev.reason, ev.attempt, ev.tls, ev.tls_certificate, ev.next_attempt_at, ev.user_agent, ev.url, ev.hold, ev.created_at, ev.started_at,
          ev.organization_id, ev.email_id, e.batch_id, e.from_email, e.from_name, e.subject, e.created_at AS email_created_at, e.scheduled_at, ${OWN_TAGS} AS tags,
          ${STREAM} AS stream, e.metadata, ${GROUP} AS unsubscribe_group, e.template_id,
          ${STORED_OPTIONS} -> 'origin' AS origin,
          CASE WHEN ev.type = 'opened' THEN NOT EXISTS (
            SELECT FROM events o
            WHERE o.organization_id = ev.organization_id AND o.email_id = ev.email_id AND o.email_id BETWEEN $4 AND $5
              AND o.id < ev.id AND o.type = 'opened' AND o.position = ev.position) END AS is_first_open,
          CASE WHEN $6 THEN (
            SELECT substring(c.mime FOR ${HEAD_BYTES}) FROM email_contents c
            WHERE c.organization_id = e.organization_id AND c.email_id = e.id AND c.email_id BETWEEN $4 AND $5) END AS head,
          CASE WHEN $6 THEN (
            SELECT m.message_id FROM moved_contents m
            WHERE m.organization_id = e.organization_id AND m.email_id = e.id AND m.email_id BETWEEN $4 AND $5) END AS kept_message_id
   FROM unnest($1::text[], $2::uuid[], $3::uuid[], $7::uuid[]) AS asked(o, e, i, outcome)
   JOIN events ev ON ev.organization_id = asked.o AND ev.email_id = asked.e AND ev.email_id BETWEEN $4 AND $5
     AND ev.id = ANY (ARRAY[asked.i, asked.outcome]) AND (ev.id = asked.i OR ev.started_at IS NOT NULL)
   JOIN emails e ON e.organization_id = asked.o AND e.id = asked.e AND e.id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
);

/** By the event's id. Missing events were removed with their email. */
export async function loadMailFacts(
  db: Sql,
  asked: readonly MessageRequest[],
  reasons: ReasonMeanings,
): Promise<Map<string, MailFacts>> {
  const about = asked.filter(({ claim }) => claim.emailId !== null);
  if (about.length === 0) return new Map();
  const claims = [...new Map(about.map(({ claim }) => [claim.eventId, claim])).values()];
  const emailIds = claims.map((claim) => claim.emailId as string);
  const sorted = emailIds.toSorted();
  const stored = await db.many(select, [
    claims.map((claim) => claim.organizationId),
    emailIds,
    claims.map((claim) => claim.eventId),
    sorted[0],
    sorted.at(-1),
    about.some(({ format }) => format !== 'postrider'),
    claims.map((claim) => outcomeIdOf(claim.eventId)),
  ]);
  const rows = stored.map(({ asked_id, ...row }) => eventIn(row, asked_id));
  const returned = rows.filter(({ type }) => RETURNED.has(type));
  const suppressed = new Set<ToldRow>();
  // Only Postmark's format includes this field.
  if (about.some(({ format }) => format === 'postmark'))
    for (const index of await suppressedOf(db, returned.map(addressOf)))
      suppressed.add(returned[index] as ToldRow);
  return new Map(rows.map((row) => [row.id, toFacts(row, suppressed.has(row), reasons)]));
}

const RETURNED: ReadonlySet<string> = new Set<EventType>(['bounced', 'failed', 'complained']);

function addressOf({ organization_id, recipient }: ToldRow): AddressOf {
  return { organizationId: organization_id, key: addressKeyOf(storedEmail(recipient)) };
}

function toFacts(row: ToldRow, isSuppressed: boolean, { meaningOf, provesDead }: ReasonMeanings): MailFacts {
  const { organization_id, email_id, batch_id, from_email, from_name, subject, scheduled_at, ...rest } = row;
  const { email_created_at, tags, stream, metadata, unsubscribe_group, template_id, origin, ...more } = rest;
  const { is_first_open, head, kept_message_id, ...event } = more;
  const { reason } = event;
  return {
    organizationId: organization_id,
    event,
    email: {
      id: email_id,
      batchId: batch_id,
      from: { email: from_email, name: from_name },
      subject,
      createdAt: email_created_at,
      isScheduled: scheduled_at !== null,
      tags: tags ?? [],
      stream: stream ?? TRANSACTIONAL,
      metadata: metadata ?? {},
      unsubscribeGroup: unsubscribe_group,
      templateId: template_id,
      origin: origin ?? {},
    },
    messageId:
      kept_message_id ??
      ownMessageId(head) ??
      messageId({ id: email_id, messageIdDomain: halvesOf(from_email).domain }),
    reply: serverReply(event),
    meaning: reason === null ? '' : (meaningOf(reason) ?? reason),
    isDead: reason !== null && provesDead(reason),
    isSuppressed,
    isFirstOpen: is_first_open ?? false,
  };
}
