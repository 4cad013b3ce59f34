/** The request and response schemas of the delivery routes. */
import { type Static, Type } from 'typebox';
import { cursorFields } from '../../http/pagination.ts';
import { checked, mapOf, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { parseMoment } from '../../runtime/timestamp.ts';
import { REPLAYED_STATES } from '../log.ts';
import { DELIVERY_STATES } from '../queue.ts';

const deliveryFields = {
  id: Type.String({ description: 'Id of the event. Every attempt sends it as `webhook-id`.' }),
  type: Type.String({ examples: ['email.delivered'] }),
  email_id: nullable(
    Type.String({
      description:
        'Id of the email that the event is about. Null for tests and events that are not about an email.',
    }),
  ),
  recipient: nullable(
    Type.String({
      description:
        'Recipient that the event is about. Null if the event is not about mail, or if the mail was deleted.',
      examples: ['ada@example.org'],
    }),
  ),
  subject: nullable(
    Type.String({
      description: 'Subject of the mail. Null if the event is not about mail, or if the mail was deleted.',
      examples: ['Your receipt'],
    }),
  ),
  status: stringEnum(DELIVERY_STATES),
  next_attempt_at: nullable(
    timestamp({ description: 'Time of the next attempt, while the delivery is pending. Null otherwise.' }),
  ),
  attempts: Type.Array(
    Type.Object({
      at: timestamp(),
      status: nullable(
        Type.Integer({ description: 'HTTP status of the response. Null if there was no response.' }),
      ),
      latency_ms: Type.Integer({ description: 'Duration of the request in milliseconds.' }),
      response: nullable(
        Type.String({ description: 'First 1 KB of the response body. Null if there was no response.' }),
      ),
      response_headers: nullable(
        mapOf(Type.String(), {
          description: 'First 1 KB of the response headers, without cookies. Null if there was no response.',
        }),
      ),
      error: nullable(Type.String({ description: 'Why the attempt failed. Null if it succeeded.' })),
      next_attempt_at: nullable(timestamp()),
    }),
    { description: 'Attempts to deliver the event, oldest first.' },
  ),
  created_at: timestamp({ description: 'Time of the event.' }),
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
            description:
              'Headers of the request, without the timestamp and the signatures, which are new for every attempt.',
          }),
          body: Type.String({ description: 'Body of the request, exactly as it is sent.' }),
        },
        {
          description:
            'The request, with the current URL and format of the webhook. Null if the email of the event was deleted, or if the format has no type for the event.',
        },
      ),
    ),
  },
  { $id: 'WebhookDeliveryWithRequest' },
);

export const webhookStatsSchema = Type.Object(
  {
    events: Type.Integer({ description: 'Number of events that the statistics cover.' }),
    since: nullable(
      timestamp({ description: 'Time of the oldest of these events. Null if there are none.' }),
    ),
    delivered: Type.Integer(),
    pending: Type.Integer(),
    failed: Type.Integer(),
    calls: Type.Integer({
      description: 'Number of requests to the endpoint for these events, including retries.',
    }),
    calls_succeeded: Type.Integer({ description: 'Number of these requests that succeeded.' }),
    success_rate: nullable(
      Type.Number({
        description: 'Share of the requests that succeeded, from 0 to 1. Null if there were none.',
      }),
    ),
    latency_p50_ms: nullable(
      Type.Integer({ description: 'Median response time in milliseconds. Null if there were no responses.' }),
    ),
    latency_p95_ms: nullable(
      Type.Integer({
        description: '95th percentile of the response time in milliseconds. Null if there were no responses.',
      }),
    ),
    next_attempt_at: nullable(
      timestamp({ description: 'Time of the next attempt for a pending event. Null if none is pending.' }),
    ),
  },
  { $id: 'WebhookStats' },
);

export const deliveriesQuery = strictObject({
  ...cursorFields,
  status: Type.Optional(stringEnum(DELIVERY_STATES, { description: 'Only deliveries with this status.' })),
});
export type DeliveriesQuery = Static<typeof deliveriesQuery>;

export const replayBody = checked(
  strictObject(
    {
      since: moment(
        'Only events at or after this time, an ISO 8601 date and time. Events are kept for at most 30 days.',
      ),
      until: Type.Optional(
        moment('Only events at or before this time, an ISO 8601 date and time. The default is now.'),
      ),
      status: Type.Optional(
        stringEnum(REPLAYED_STATES, {
          description:
            '`failed` (the default): only deliveries that failed. `all`: also deliveries that succeeded.',
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
  replayed: Type.Integer({ description: 'Number of deliveries that are sent again.' }),
  next_since: nullable(
    timestamp({
      description:
        'Value of `since` for the next request, if more than 100,000 deliveries remain. Null otherwise.',
    }),
  ),
});

function moment(description: string) {
  return checked(Type.String({ description, examples: ['2026-11-15T00:00:00Z'] }), (text, problems) => {
    if (parseMoment(text) === null)
      problems.add('', 'must be an ISO 8601 date and time such as 2026-11-15T00:00:00Z');
  });
}
