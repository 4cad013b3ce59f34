/** The request and response schemas of the delivery routes. */
import { type Static, Type } from 'typebox';
import { cursorFields } from '../../http/pagination.ts';
import { checked, mapOf, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { parseMoment } from '../../runtime/timestamp.ts';
import { REPLAYED_STATES } from '../log.ts';
import { DELIVERY_STATES } from '../queue.ts';

const deliveryFields = {
  id: Type.String({ description: 'The id of the event, and the `webhook-id` of every attempt.' }),
  type: Type.String({ examples: ['email.delivered'] }),
  email_id: nullable(Type.String({ description: 'Null in a test, and in what is about a domain.' })),
  status: stringEnum(DELIVERY_STATES),
  next_attempt_at: nullable(timestamp({ description: 'While it is pending.' })),
  attempts: Type.Array(
    Type.Object({
      at: timestamp(),
      status: nullable(Type.Integer({ description: 'Of the HTTP response; null if there was none.' })),
      latency_ms: Type.Integer(),
      response: nullable(Type.String({ description: 'The first 1 KB of the response.' })),
      response_headers: nullable(
        mapOf(Type.String(), { description: 'The first 1 KB of its headers, without cookies.' }),
      ),
      error: nullable(Type.String({ description: 'What went wrong.' })),
      next_attempt_at: nullable(timestamp()),
    }),
    { description: 'Oldest first.' },
  ),
  created_at: timestamp({ description: 'When the event happened.' }),
};

export const deliverySchema = Type.Object(deliveryFields, { $id: 'WebhookDelivery' });

export const deliveryWithRequestSchema = Type.Object(
  {
    ...deliveryFields,
    request: nullable(
      Type.Object(
        {
          method: Type.Literal('POST'),
          url: Type.String(),
          headers: mapOf(Type.String(), {
            description: 'Without the time and the signatures, which are new for every attempt.',
          }),
          body: Type.String({ description: 'Exactly as it is sent.' }),
        },
        {
          description:
            'The request, with the URL and the format that the webhook has now. Null if the email that it was about is gone, or if the format has no type for the event.',
        },
      ),
    ),
  },
  { $id: 'WebhookDeliveryWithRequest' },
);

export const webhookStatsSchema = Type.Object(
  {
    events: Type.Integer({ description: 'How many events were looked at.' }),
    since: nullable(timestamp({ description: 'When the oldest of them happened.' })),
    delivered: Type.Integer(),
    pending: Type.Integer(),
    failed: Type.Integer(),
    calls: Type.Integer({ description: 'Attempts for these events, retries included.' }),
    calls_succeeded: Type.Integer(),
    success_rate: nullable(Type.Number({ description: 'Of the calls: from 0 to 1. Null without any.' })),
    latency_p50_ms: nullable(Type.Integer({ description: 'Half of the responses came within this time.' })),
    latency_p95_ms: nullable(Type.Integer()),
    next_attempt_at: nullable(timestamp({ description: 'When the next event that waits is due.' })),
  },
  { $id: 'WebhookStats' },
);

export const deliveriesQuery = strictObject({
  ...cursorFields,
  status: Type.Optional(stringEnum(DELIVERY_STATES, { description: 'Only those.' })),
});
export type DeliveriesQuery = Static<typeof deliveriesQuery>;

export const replayBody = checked(
  strictObject(
    {
      since: moment('ISO 8601 date and time: events that happened then or later. At most 30 days are kept.'),
      until: Type.Optional(moment('And not after this. Omitted: until now.')),
      status: Type.Optional(
        stringEnum(REPLAYED_STATES, {
          description: '`failed`, the default: what was given up. `all`: also what was delivered.',
        }),
      ),
    },
    { $id: 'ReplayWebhooks' },
  ),
  ({ since, until }, problems) => {
    const [from, to] = [since, until].map((given: unknown) =>
      typeof given === 'string' ? parseMoment(given) : null,
    );
    if (from != null && to != null && to < from) problems.add('until', 'must not be before `since`');
  },
);

export const replayedSchema = Type.Object({
  replayed: Type.Integer(),
  next_since: nullable(
    timestamp({ description: 'If more than 100,000 are left: call again with this as `since`.' }),
  ),
});

function moment(description: string) {
  return checked(Type.String({ description, examples: ['2026-11-15T00:00:00Z'] }), (text, problems) => {
    if (parseMoment(text) === null)
      problems.add('', 'must be an ISO 8601 date and time such as 2026-11-15T00:00:00Z');
  });
}
