/** `GET /events/changes`: which types of events an organization gets, in real time. For pages of the dashboard. */
import { Type } from 'typebox';
import { type ApiRoutes, isStillAdmitted } from '../http/api-routes.ts';
import { strictObject } from '../http/schema.ts';
import type { EventChanges } from './changes.ts';
import { OpenStreams } from './open-streams.ts';
import { handOver, SseResponse, STREAM_HEADERS } from './sse-response.ts';

const EXAMPLE = 'retry: 2000\n\ndata: {"types":["queued"]}\n\ndata: {"types":["delivered","processing"]}\n\n';

const changes = {
  tags: ['Events'],
  summary: 'Follow which types of events happen, as server-sent events',
  description:
    'The first message comes at once, with the types of events of the last ten seconds. Then there is at most one message a ' +
    'second, with the types of the events since the previous message. A stream ends after at most ten minutes. Reconnect, and ' +
    'load your data again if that took longer than ten seconds.',
  querystring: strictObject({}),
  response: {
    200: {
      description: 'A stream of server-sent events. It stays open until one side closes the connection.',
      content: {
        'text/event-stream': { schema: Type.Unsafe<string>({ type: 'string', examples: [EXAMPLE] }) },
      },
    },
  },
};

export function changeRoutes(events: EventChanges): ApiRoutes {
  const streams = new OpenStreams<SseResponse>();
  return async (app) => {
    app.addHook('preClose', async () => streams.endAll());
    app.get('/events/changes', { config: { access: 'self' }, schema: changes }, async (request, reply) => {
      const { organizationId } = request.principal;
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send('');
      streams.assertRoom(organizationId);
      let leave = () => {};
      const stream = new SseResponse({
        response: reply.raw,
        isAdmitted: () => isStillAdmitted(request),
        onEnd: () => leave(),
      });
      streams.add(stream, organizationId, reply.raw);
      handOver(reply);
      stream.begin();
      try {
        leave = await events.follow(organizationId, (types) =>
          stream.write(`data: ${JSON.stringify({ types })}\n\n`),
        );
        if (stream.ended) leave();
      } catch (error) {
        // The response has begun, so an error can only end it. The reader reconnects.
        request.log.warn({ err: error }, 'a stream of changes failed');
        stream.end();
      }
    });
  };
}
