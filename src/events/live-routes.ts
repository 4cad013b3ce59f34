/** `GET /events/stream`: an organization's events in real time. For keys of scope `full`. */
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { toAddress } from '../http/address-field.ts';
import { type ApiRoutes, isStillAdmitted } from '../http/api-routes.ts';
import { strictObject } from '../http/schema.ts';
import { Problems } from '../runtime/problems.ts';
import { LiveStream } from './live-stream.ts';
import { OpenStreams } from './open-streams.ts';
import { recipientField, typeField } from './query-schema.ts';
import { parseEventId } from './read.ts';
import { handOver, STREAM_HEADERS } from './sse-response.ts';
import type { StreamRow } from './stream.ts';
import type { EventTail } from './tail.ts';

const query = strictObject({ type: typeField, recipient: recipientField });

const EVENT = {
  id: 'evt_01a1dd1ca2a7709a867c8b135d323161',
  type: 'delivered',
  email_id: '01a1dd1c-a292-7088-82d5-cb934f4f4126',
  recipient: 'ada@example.org',
  mx_host: 'mx1.example.org',
  smtp_code: 250,
  smtp_message: '2.0.0 Ok: queued as 4F2c1D3kqz',
  created_at: '2026-11-15T02:50:03.964Z',
};
const EXAMPLE = `retry: 2000\n\nid: ${EVENT.id}\ndata: ${JSON.stringify(EVENT)}\n\n`;

const stream = {
  tags: ['Events'],
  summary: 'Follow events as server-sent events',
  description:
    'Each message has the event as `data`, and its `id`. To continue without a gap, reconnect with the header `Last-Event-ID`; ' +
    'events of the last few seconds may then be repeated with the same id. A message with only an `id` shows ' +
    'your position in the stream while no event matches your filter. A stream ends after at most ten minutes or 100,000 ' +
    'old events, and when the reader is too slow. Clients of server-sent events reconnect automatically.',
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        description: '`id` of the last message that you received. The stream continues after it.',
      }),
    ),
  }),
  querystring: query,
  response: {
    200: {
      description: 'A stream of server-sent events. It stays open until one side closes the connection.',
      content: {
        'text/event-stream': { schema: Type.Unsafe<string>({ type: 'string', examples: [EXAMPLE] }) },
      },
    },
  },
};

export function liveEventRoutes(tail: EventTail): ApiRoutes {
  const streams = new OpenStreams<LiveStream>();
  return async (app) => {
    app.addHook('preClose', async () => streams.endAll());
    app.get('/events/stream', { schema: stream }, async (request, reply) => {
      const { organizationId } = request.principal;
      const afterId = lastEventId(request);
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send('');
      streams.assertRoom(organizationId);
      const live = new LiveStream({
        tail,
        organizationId,
        afterId,
        wants: filterOf(request.query),
        isAdmitted: () => isStillAdmitted(request),
        response: reply.raw,
      });
      streams.add(live, organizationId, reply.raw);
      handOver(reply);
      // The response has begun, so an error can only end it. The reader reconnects.
      await live.start().catch((error) => {
        request.log.warn({ err: error }, 'an event stream failed');
        live.end();
      });
    });
  };
}

function lastEventId({ headers }: FastifyRequest): string | null {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return null;
  const id = typeof text === 'string' ? parseEventId(text) : null;
  if (id === null)
    throw new Problems()
      .add(
        'Last-Event-ID',
        'is not the id of an event: leave it out, or send the last id that the stream sent',
      )
      .toError();
  return id;
}

function filterOf({ type, recipient }: Static<typeof query>): (event: StreamRow) => boolean {
  const wanted = recipient === undefined ? undefined : toAddress(recipient).email.toLowerCase();
  return (event) =>
    (type === undefined || event.type === type) &&
    (wanted === undefined || event.recipient.toLowerCase() === wanted);
}
