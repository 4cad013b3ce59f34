/** What endpoints are sent, for the reference. webhook-dispatch/message.ts makes it. */
import { type TSchema, Type } from 'typebox';
import { EVENT_TYPES, type EventType } from '../../events/append.ts';
import type { WebhookMessage } from '../../http/openapi.ts';
import { anyObject, timestamp } from '../../http/schema.ts';
import { event } from '../emails/schema.ts';
import { TEST_TYPE, TYPE_PREFIX } from './schema.ts';

const SUMMARIES: Readonly<Record<EventType, string>> = {
  queued: 'A recipient was accepted into the queue',
  processing: 'An attempt to deliver began',
  delivered: "The recipient's server took the mail",
  deferred: 'An attempt failed for now; it is tried again',
  bounced: 'The recipient was refused for good',
  failed: 'Delivery was given up',
  opened: 'The mail was opened',
  complained: 'The recipient reported it as spam',
  rejected: 'Refused before sending: suppressed, invalid or cancelled',
};

const told = {
  email_id: Type.String(),
  subject: Type.String(),
  tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  metadata: anyObject(),
};

export const webhookMessages: Readonly<Record<string, WebhookMessage>> = {
  ...Object.fromEntries(EVENT_TYPES.map((type) => [TYPE_PREFIX + type, messageOf(type)])),
  [TEST_TYPE]: {
    summary: 'Sent by `POST /webhooks/:id/test`',
    payload: envelope(
      TEST_TYPE,
      Type.Object({ id: Type.String(), webhook_id: Type.String(), test: Type.Literal(true) }),
    ),
  },
};

function messageOf(type: EventType): WebhookMessage {
  const data = Type.Object({ ...event.properties, type: Type.Literal(type), ...told });
  return { summary: SUMMARIES[type], payload: envelope(TYPE_PREFIX + type, data) };
}

function envelope(type: string, data: TSchema) {
  return Type.Object({ type: Type.Literal(type), timestamp: timestamp(), data });
}
