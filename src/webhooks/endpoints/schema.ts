/** The request and response schemas of the webhook routes. */
import { type Static, Type } from 'typebox';
import { STREAM_NAME } from '../../emails/stream.ts';
import { EVENT_TYPES, type EventType } from '../../events/append.ts';
import { ATTENTION_EVENT_TYPES } from '../../events/attention-events.ts';
import { CANARY_EVENT_TYPES } from '../../events/canary-events.ts';
import { DOMAIN_EVENT_TYPES } from '../../events/domain-events.ts';
import { SUPPRESSION_EVENT_TYPES } from '../../events/suppression-events.ts';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { DISABLED_REASONS, type StoredType, WEBHOOK_FORMATS } from './store.ts';

export const TYPE_PREFIX = 'email.';
export const TEST_TYPE = 'webhook.test';

export const WEBHOOK_TYPES = [
  ...EVENT_TYPES.map((type) => `${TYPE_PREFIX}${type}` as const),
  ...DOMAIN_EVENT_TYPES,
  ...SUPPRESSION_EVENT_TYPES,
  ...ATTENTION_EVENT_TYPES,
  ...CANARY_EVENT_TYPES,
];
export type WebhookType = `${typeof TYPE_PREFIX}${EventType}` | Exclude<StoredType, EventType>;

const settings = {
  url: Type.String({
    minLength: 1,
    description:
      'URL that events are sent to. It must use https and have a public address. In the sandbox, http and this machine are allowed too.',
    examples: ['https://example.org/hooks/mail'],
  }),
  description: nullable(
    Type.String({ maxLength: 500, description: 'Description of the webhook for your own use.' }),
  ),
  event_types: checked(
    nullable(
      Type.Array(stringEnum(WEBHOOK_TYPES), {
        minItems: 1,
        maxItems: WEBHOOK_TYPES.length,
        description:
          'Types of events to send. Null or omitted means all types of the format, except those about suppressions, warnings and canaries, which must be named.',
        examples: [['email.delivered', 'email.bounced']],
      }),
    ),
    (types, problems) => {
      if (types !== null && new Set(types).size < types.length) problems.add('', 'names an event twice');
    },
  ),
  streams: checked(
    nullable(
      Type.Array(Type.String({ pattern: STREAM_NAME.source }), {
        minItems: 1,
        maxItems: 50,
        description: 'Send only events of mail in these streams. Null or omitted means all mail.',
        examples: [['transactional']],
      }),
    ),
    (streams, problems) => {
      if (streams !== null && new Set(streams).size < streams.length)
        problems.add('', 'names a stream twice');
    },
  ),
  format: stringEnum(WEBHOOK_FORMATS, {
    description:
      'Format of the events. `postrider` (the default): the format that this reference describes. The other values: the format of that service, for code that was written for it.',
  }),
  enabled: Type.Boolean({
    description: 'Whether events are sent. Events that happen while it is false are not sent later.',
  }),
};

export const createWebhookBody = strictObject(
  {
    url: settings.url,
    description: Type.Optional(settings.description),
    event_types: Type.Optional(settings.event_types),
    streams: Type.Optional(settings.streams),
    format: Type.Optional(settings.format),
    enabled: Type.Optional(settings.enabled),
  },
  { $id: 'CreateWebhook' },
);
export type CreateWebhookBody = Static<typeof createWebhookBody>;

export const updateWebhookBody = strictObject(
  {
    url: Type.Optional(settings.url),
    description: Type.Optional(settings.description),
    event_types: Type.Optional(settings.event_types),
    streams: Type.Optional(settings.streams),
    format: Type.Optional(settings.format),
    enabled: Type.Optional(settings.enabled),
  },
  { $id: 'UpdateWebhook', minProperties: 1 },
);
export type UpdateWebhookBody = Static<typeof updateWebhookBody>;

const endpointFields = {
  id: Type.String({ description: 'Id of the webhook. Starts with `whk_`.' }),
  url: Type.String(),
  description: nullable(Type.String()),
  event_types: nullable(
    Type.Array(Type.String(), {
      description:
        'Types of events that are sent. Null means all types of the format, except those about suppressions, warnings and canaries.',
    }),
  ),
  streams: nullable(
    Type.Array(Type.String(), { description: 'Streams whose events are sent. Null means all mail.' }),
  ),
  format: stringEnum(WEBHOOK_FORMATS),
  enabled: Type.Boolean(),
  disabled_reason: nullable(
    stringEnum(DISABLED_REASONS, {
      description:
        'Why the webhook is disabled. `manual`: you disabled it. `gone`: the endpoint responded with 410. `failing`: all requests failed for 5 days. Null if it is enabled.',
    }),
  ),
  disabled_at: nullable(timestamp()),
  failing_since: nullable(
    timestamp({
      description: 'Time since which all requests have failed. Null if the last request succeeded.',
    }),
  ),
  last_error: nullable(
    Type.String({
      description: 'Error of the last failed request. Null if none has failed.',
      examples: ['answered 500'],
    }),
  ),
  last_error_at: nullable(timestamp()),
  previous_secret_expires_at: nullable(
    timestamp({
      description:
        'Time until which requests are also signed with the previous secret, after a rotation. Null otherwise.',
    }),
  ),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const endpointSchema = Type.Object(endpointFields, { $id: 'Webhook' });

export const endpointWithSecretSchema = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({
      description: 'Signing secret. Starts with `whsec_`. It is shown only in this response.',
    }),
  },
  { $id: 'WebhookWithSecret' },
);
