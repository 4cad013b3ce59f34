/** `/streams`: kinds of mail with separate settings, limits and statistics. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../http/api-routes.ts';
import { nameTarget } from '../http/audit.ts';
import { dataOf } from '../http/envelope.ts';
import { changeStreamBody, createStreamBody, deletedStream, streamParams, streamSchema } from './schema.ts';
import {
  changeStream,
  createStream,
  removeStream,
  type StreamDeps,
  streamNamed,
  streamsOf,
} from './service.ts';
import { newStreamOf, settingsIn, shownStream } from './view.ts';

const tags = ['Streams'];
type App = Parameters<ApiRoutes>[0];

export function streamRoutes(deps: StreamDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routeMaking(app, deps);
    routeChanging(app, deps);
  };
}

function routeReading(app: App, deps: StreamDeps): void {
  const list = {
    tags,
    summary: 'List streams',
    description: '`transactional` and `bulk`, which everybody has, and those of your own.',
    response: { 200: dataOf(Type.Array(streamSchema)) },
  };
  app.get(
    '/streams',
    { config: { scope: 'agent' }, schema: list },
    async ({ principal: { organizationId } }) => ({
      data: (await streamsOf(deps, organizationId)).map(shownStream),
    }),
  );
  const one = {
    tags,
    summary: 'Read a stream',
    params: streamParams,
    response: { 200: dataOf(streamSchema) },
  };
  app.get(
    '/streams/:name',
    { config: { errors: ['NOT_FOUND'] }, schema: one },
    async ({ principal: { organizationId }, params }) => ({
      data: shownStream(await streamNamed(deps, organizationId, params.name)),
    }),
  );
}

function routeMaking(app: App, deps: StreamDeps): void {
  const create = {
    tags,
    summary: 'Make a stream',
    body: createStreamBody,
    response: { 201: dataOf(streamSchema) },
  };
  app.post(
    '/streams',
    { config: { errors: ['CONFLICT'], audit: { action: 'stream.created' } }, schema: create },
    async ({ principal: { organizationId }, body }, reply) => {
      const made = await createStream(deps, organizationId, newStreamOf(body));
      return reply.code(201).send({ data: shownStream(made) });
    },
  );
}

function routeChanging(app: App, deps: StreamDeps): void {
  const change = {
    tags,
    summary: 'Change a stream',
    description:
      'Mail that was accepted before keeps its priority. A limit holds for mail that waits, too, within three quarters of an hour.',
    params: streamParams,
    body: changeStreamBody,
    response: { 200: dataOf(streamSchema) },
  };
  app.patch(
    '/streams/:name',
    {
      config: {
        errors: ['NOT_FOUND', 'CONFLICT'],
        audit: {
          action: 'stream.updated',
          show: ['description', 'priority', 'messages_per_minute', 'messages_per_hour'],
        },
      },
      schema: change,
    },
    async ({ principal: { organizationId }, params, body }) => ({
      data: shownStream(await changeStream(deps, organizationId, params.name, settingsIn(body))),
    }),
  );
  const remove = {
    tags,
    summary: 'Remove a stream',
    description: 'Mail that is in it stays, and keeps its name; so do unsubscriptions from it.',
    params: streamParams,
    response: { 200: dataOf(deletedStream) },
  };
  app.delete(
    '/streams/:name',
    { config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'stream.deleted' } }, schema: remove },
    async (request) => {
      const { name } = request.params;
      await removeStream(deps, request.principal.organizationId, name);
      nameTarget(request, name);
      return { data: { name, deleted: true as const } };
    },
  );
}
