/** The schemas of webhook messages, for the API reference. webhooks/dispatch/message.ts composes them. */
import { type TSchema, Type } from 'typebox';
import { event } from '../../emails/schema.ts';
import { EVENT_TYPES, type EventType } from '../../events/append.ts';
import { ATTENTION_EVENT_TYPES, type AttentionEventType } from '../../events/attention-events.ts';
import { CANARY_EVENT_TYPES, type CanaryEventType } from '../../events/canary-events.ts';
import { DOMAIN_EVENT_TYPES, type DomainEventType } from '../../events/domain-events.ts';
import { SUPPRESSION_EVENT_TYPES, type SuppressionEventType } from '../../events/suppression-events.ts';
import type { DocumentedWebhook } from '../../http/openapi.ts';
import { anyObject, nullable, timestamp } from '../../http/schema.ts';
import { receivedFields } from '../../received/schema.ts';
import { canaryStepFields } from '../../routing/canary/schema.ts';
import { TEST_TYPE, TYPE_PREFIX } from './schema.ts';

const SUMMARIES: Readonly<Record<EventType, string>> = {
  queued: 'A recipient was accepted into the queue',
  processing: 'An attempt to deliver began',
  held: 'A hold keeps the mail from being sent until it is released or discarded',
  delivered: "The recipient's server accepted the mail",
  deferred: 'An attempt failed temporarily; it will be retried',
  bounced: 'The recipient was permanently refused',
  failed: 'Delivery was given up',
  opened: 'The mail was opened',
  clicked: 'A link of the mail was followed',
  complained: 'The recipient reported it as spam',
  unsubscribed: 'The recipient wants no more mail of its `unsubscribe_group`',
  rejected: 'Refused before sending: suppressed, invalid or cancelled',
  received: 'A mail was received at an address of yours',
};

const DOMAIN_SUMMARIES: Readonly<Record<DomainEventType, string>> = {
  'domain.verified': 'Both records of a domain were found: mail may be sent from it',
  'domain.failing': 'The DNS records of a verified domain are wrong; it stops sending unless they are fixed',
  'domain.recovered': 'They are right again',
  'domain.unverified': 'They were wrong for 72 hours: nothing can be sent from the domain',
};

const SUPPRESSION_SUMMARIES: Readonly<Record<SuppressionEventType, string>> = {
  'suppression.added': 'An address was put on the suppression list, but for those of an import',
  'suppression.removed': 'An address was taken off the suppression list',
};

const ATTENTION_SUMMARIES: Readonly<Record<AttentionEventType, string>> = {
  'attention.raised': 'Something of `GET /stats/attention` began, or became critical',
  'attention.cleared': 'It was not seen for ten minutes',
};

const CANARY_SUMMARIES: Readonly<Record<CanaryEventType, string>> = {
  'canary.stepped':
    'A canary of the route table rose or fell, or an operator changed it; to operators’ webhooks',
};

const told = {
  email_id: Type.String(),
  request_id: nullable(Type.String()),
  subject: Type.String(),
  stream: Type.String(),
  tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  metadata: anyObject(),
  unsubscribe_group: nullable(Type.String()),
};

export const webhookMessages: Readonly<Record<string, DocumentedWebhook>> = {
  ...Object.fromEntries(EVENT_TYPES.map((type) => [TYPE_PREFIX + type, messageOf(type)])),
  ...Object.fromEntries(DOMAIN_EVENT_TYPES.map((type) => [type, domainMessageOf(type)])),
  ...Object.fromEntries(SUPPRESSION_EVENT_TYPES.map((type) => [type, suppressionMessageOf(type)])),
  ...Object.fromEntries(ATTENTION_EVENT_TYPES.map((type) => [type, attentionMessageOf(type)])),
  ...Object.fromEntries(CANARY_EVENT_TYPES.map((type) => [type, canaryMessageOf(type)])),
  [TEST_TYPE]: {
    summary: 'Sent by `POST /webhooks/:id/test`',
    payload: envelope(
      TEST_TYPE,
      Type.Object({ id: Type.String(), webhook_id: Type.String(), test: Type.Literal(true) }),
    ),
  },
};

function messageOf(type: EventType): DocumentedWebhook {
  if (type === 'received') return receivedMessage();
  const data = Type.Object({ ...event.properties, type: Type.Literal(type), ...told });
  return { summary: SUMMARIES[type], payload: envelope(TYPE_PREFIX + type, data) };
}

function receivedMessage(): DocumentedWebhook {
  const about = {
    id: Type.String({ description: 'Of the event.' }),
    type: Type.Literal('received'),
    received_id: Type.String({ description: 'Of the mail: `GET /inbound/{id}`.' }),
  };
  const data = Type.Object({ ...receivedFields, ...about });
  return { summary: SUMMARIES.received, payload: envelope(`${TYPE_PREFIX}received`, data) };
}

function domainMessageOf(type: DomainEventType): DocumentedWebhook {
  const data = Type.Object({
    id: Type.String(),
    type: Type.Literal(type),
    domain_id: Type.String(),
    domain: Type.String(),
    is_verified: Type.Boolean(),
    stops_sending_at: nullable(timestamp({ description: 'Unless the records are repaired before.' })),
    problems: Type.Array(
      Type.Object({
        record: Type.String({ examples: ['dkim'] }),
        name: Type.String(),
        expected: Type.String({ description: 'The value to publish.' }),
        message: Type.String({ description: 'What to change.' }),
      }),
    ),
    created_at: timestamp(),
  });
  return { summary: DOMAIN_SUMMARIES[type], payload: envelope(type, data) };
}

function suppressionMessageOf(type: SuppressionEventType): DocumentedWebhook {
  const data = Type.Object({
    id: Type.String(),
    type: Type.Literal(type),
    suppression_id: Type.String(),
    email: Type.String(),
    reason: Type.String({ examples: ['hard_bounce'] }),
    source: Type.String({ examples: ['automatic'] }),
    email_id: nullable(Type.String({ description: 'The email that it came from.' })),
    unsubscribe_group: nullable(Type.String({ description: 'The mail that it stops; null: all.' })),
    created_at: timestamp(),
  });
  return { summary: SUPPRESSION_SUMMARIES[type], payload: envelope(type, data) };
}

function attentionMessageOf(type: AttentionEventType): DocumentedWebhook {
  const common = {
    id: Type.String(),
    type: Type.Literal(type),
    kind: Type.String({ examples: ['domain_failing'] }),
    severity: Type.String({ examples: ['critical'] }),
    subject: Type.String({ description: 'The id or name of what it is about; empty for all of your mail.' }),
    created_at: timestamp(),
  };
  const data =
    type === 'attention.raised'
      ? Type.Object({ ...common, name: nullable(Type.String()), message: Type.String() })
      : Type.Object({ ...common, raised_at: timestamp() });
  return { summary: ATTENTION_SUMMARIES[type], payload: envelope(type, data) };
}

function canaryMessageOf(type: CanaryEventType): DocumentedWebhook {
  const about = { id: Type.String(), type: Type.Literal(type), created_at: timestamp() };
  const payload = envelope(type, Type.Object({ ...about, ...canaryStepFields }));
  return { summary: CANARY_SUMMARIES[type], payload };
}

function envelope(type: string, data: TSchema) {
  return Type.Object({ type: Type.Literal(type), timestamp: timestamp(), data });
}
