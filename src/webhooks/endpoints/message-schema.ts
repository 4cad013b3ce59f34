/** The schemas of webhook messages, for the API reference. webhooks/dispatch/message.ts composes them. */
import { type TSchema, Type } from 'typebox';
import { event } from '../../emails/event-schema.ts';
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
  deferred: 'An attempt to deliver failed temporarily and will be repeated',
  bounced: 'The recipient was permanently refused',
  failed: 'Postrider stopped trying to deliver the mail',
  opened: 'The mail was opened',
  clicked: 'A link of the mail was followed',
  complained: 'The recipient reported the mail as spam',
  unsubscribed: 'The recipient unsubscribed from the `unsubscribe_group` of the mail',
  rejected: 'The mail was not sent to the recipient: suppressed, invalid or cancelled',
  received: 'A mail was received at one of your addresses',
};

const DOMAIN_SUMMARIES: Readonly<Record<DomainEventType, string>> = {
  'domain.verified': 'The DKIM and SPF records of a domain were found; mail can be sent from it',
  'domain.failing': 'The DNS records of a verified domain are wrong; it stops sending unless they are fixed',
  'domain.recovered': 'The DNS records of a failing domain are correct again',
  'domain.unverified': 'The DNS records of a domain were wrong for 72 hours; no mail can be sent from it',
};

const SUPPRESSION_SUMMARIES: Readonly<Record<SuppressionEventType, string>> = {
  'suppression.added': 'An address was added to the suppression list; imports cause no event',
  'suppression.removed': 'An address was removed from the suppression list',
};

const ATTENTION_SUMMARIES: Readonly<Record<AttentionEventType, string>> = {
  'attention.raised': 'A warning of `GET /stats/attention` began or became critical',
  'attention.cleared': 'A warning was absent for ten minutes and has ended',
};

const CANARY_SUMMARIES: Readonly<Record<CanaryEventType, string>> = {
  'canary.stepped':
    'A canary of the route table rose or fell, or an operator changed it; only for webhooks of operators',
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
    summary: 'A test event of `POST /webhooks/{id}/test`',
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
    id: Type.String({ description: 'Id of the event.' }),
    type: Type.Literal('received'),
    received_id: Type.String({ description: 'Id of the received mail, for `GET /inbound/{id}`.' }),
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
    stops_sending_at: nullable(
      timestamp({
        description:
          'Time at which the domain stops sending unless its records are fixed before. Null if there is no such time.',
      }),
    ),
    problems: Type.Array(
      Type.Object({
        record: Type.String({ examples: ['dkim'] }),
        name: Type.String(),
        expected: Type.String({ description: 'Value to publish in DNS.' }),
        message: Type.String({ description: 'Result of the check in words, with the necessary change.' }),
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
    email_id: nullable(
      Type.String({ description: 'Id of the email that caused the suppression. Null if no email did.' }),
    ),
    unsubscribe_group: nullable(
      Type.String({ description: 'Group of mail that the suppression stops. Null means all mail.' }),
    ),
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
    subject: Type.String({
      description: 'Id or name of the object that the warning is about. Empty if it is about all your mail.',
    }),
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
