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
      'Where events are sent: https and a public address. In the sandbox also http and this machine.',
    examples: ['https://example.org/hooks/mail'],
  }),
  description: nullable(Type.String({ maxLength: 500, description: 'For people.' })),
  event_types: checked(
    nullable(
      Type.Array(stringEnum(WEBHOOK_TYPES), {
        minItems: 1,
        maxItems: WEBHOOK_TYPES.length,
        description:
          'The events to send. Null or omitted: all types of the format, except those about suppressions, warnings and canaries, which must be named.',
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
        description: 'Only events of mail in these streams. Null or omitted: of all mail.',
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
      'The format of events. `postrider`, the default: the format that this reference describes. The others: the format of the named service, for code that was written for that service.',
  }),
  enabled: Type.Boolean({
    description: 'False: no events are sent, and events that happen meanwhile are not sent later.',
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
  id: Type.String({ description: 'Starts with `whk_`.' }),
  url: Type.String(),
  description: nullable(Type.String()),
  event_types: nullable(Type.Array(Type.String(), { description: 'Null: all.' })),
  streams: nullable(Type.Array(Type.String(), { description: 'Null: all.' })),
  format: stringEnum(WEBHOOK_FORMATS),
  enabled: Type.Boolean(),
  disabled_reason: nullable(
    stringEnum(DISABLED_REASONS, {
      description:
        '`manual`: you did it. `gone`: the endpoint answered 410. `failing`: all calls failed for 5 days.',
    }),
  ),
  disabled_at: nullable(timestamp()),
  failing_since: nullable(timestamp({ description: 'Null if the last attempt succeeded.' })),
  last_error: nullable(
    Type.String({ description: 'The error of the last failed call.', examples: ['answered 500'] }),
  ),
  last_error_at: nullable(timestamp()),
  previous_secret_expires_at: nullable(
    timestamp({
      description: 'After a rotation: until then calls are signed with the previous secret as well.',
    }),
  ),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const endpointSchema = Type.Object(endpointFields, { $id: 'Webhook' });

export const endpointWithSecretSchema = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({ description: 'Starts with `whsec_`. Shown only once.' }),
  },
  { $id: 'WebhookWithSecret' },
);
