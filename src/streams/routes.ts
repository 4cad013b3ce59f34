/** `/streams`: kinds of mail with separate settings, limits and statistics. */
import { Type } from 'typebox';
import { STREAM_NAME } from '../emails/stream.ts';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { nameTarget } from '../http/audit.ts';
import { dataOf } from '../http/envelope.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { PRIORITIES } from '../outbox/states.ts';
import {
  changeStream,
  createStream,
  removeStream,
  type StreamDeps,
  streamNamed,
  streamsOf,
} from './service.ts';
import { builtIn, type Stream, type StreamPace } from './stream.ts';

const name = Type.String({
  pattern: STREAM_NAME.source,
  description: 'Name of the stream: at most 32 lower-case letters, digits and hyphens. It cannot be changed.',
  examples: ['product-news'],
});
const description = nullable(
  Type.String({ maxLength: 500, description: 'Description of the stream for your own use.' }),
);
const priority = stringEnum(PRIORITIES, {
  description:
    'Priority of mail in the stream that does not set its own. Within an organization, mail with a higher priority is sent first.',
});

const limit = (per: 'minute' | 'hour') =>
  nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: `Maximum number of messages of the stream per clock ${per}, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit.`,
    }),
  );
const limits = { messages_per_minute: limit('minute'), messages_per_hour: limit('hour') };

const settings = {
  description: Type.Optional(description),
  priority: Type.Optional(priority),
  messages_per_minute: Type.Optional(limits.messages_per_minute),
  messages_per_hour: Type.Optional(limits.messages_per_hour),
};

/** Schemas of streams. */
export const createStreamBody = strictObject({ name, ...settings }, { $id: 'CreateStream' });

const changeStreamBody = strictObject(settings, { $id: 'ChangeStream', minProperties: 1 });

const streamParams = Type.Object({ name: Type.String({ examples: ['bulk'] }) });

const streamSchema = Type.Object(
  {
    name: Type.String(),
    description: nullable(Type.String()),
    priority,
    ...limits,
    built_in: Type.Boolean({
      description: 'Whether the stream is built in. Built-in streams cannot be removed.',
    }),
    created_at: nullable(
      timestamp({
        description:
          'Time of creation. For a built-in stream: time of its first change, or null if it was never changed.',
      }),
    ),
  },
  { $id: 'Stream' },
);

const deletedStream = Type.Object({ name: Type.String(), deleted: Type.Literal(true) });

const tags = ['Streams'];
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
    description: 'Returns the built-in streams `transactional` and `bulk`, and your own streams.',
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
    summary: 'Get a stream',
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
    summary: 'Create a stream',
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
      'Mail that was already accepted keeps its priority. A new limit also applies to waiting mail, within 45 minutes.',
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
    description: 'Mail in the stream and unsubscriptions from it stay, and keep the name of the stream.',
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

export interface StreamShown {
  readonly name: string;
  readonly description: string | null;
  readonly priority: Stream['priority'];
  readonly messages_per_minute: number | null;
  readonly messages_per_hour: number | null;
  readonly built_in: boolean;
  readonly created_at: Date | null;
}

/** Streams as the API shows them. */
export function shownStream(stream: Stream): StreamShown {
  const { name, description, priority, messagesPerMinute, messagesPerHour, createdAt } = stream;
  return {
    ...{ name, description, priority },
    messages_per_minute: messagesPerMinute,
    messages_per_hour: messagesPerHour,
    built_in: builtIn(name) !== undefined,
    created_at: createdAt,
  };
}

interface StreamSettingsInput {
  readonly description?: string | null;
  readonly priority?: Stream['priority'];
  readonly messages_per_minute?: number | null;
  readonly messages_per_hour?: number | null;
}

/** Only the given fields. */
export function settingsIn(
  body: StreamSettingsInput,
): Partial<Pick<Stream, 'description' | 'priority'> & StreamPace> {
  const { description, priority, messages_per_minute: minute, messages_per_hour: hour } = body;
  return {
    ...(description === undefined ? {} : { description }),
    ...(priority === undefined ? {} : { priority }),
    ...(minute === undefined ? {} : { messagesPerMinute: minute }),
    ...(hour === undefined ? {} : { messagesPerHour: hour }),
  };
}

/** All fields of a new stream. */
export function newStreamOf({ name, ...body }: StreamSettingsInput & { readonly name: string }) {
  return { name, ...NEW, ...settingsIn(body) };
}

const NEW = {
  description: null,
  priority: 'normal',
  messagesPerMinute: null,
  messagesPerHour: null,
} as const satisfies Partial<Stream>;
