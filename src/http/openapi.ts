/**
 * The OpenAPI document, generated from the schemas that validate and serialize. Shows only `/api/v1`, the
 * canonical prefix; `/v1` serves the same. Adds what every route shares (bearer key, usual errors).
 */
import { fastifySwagger } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { scopesOf } from './access.ts';
import { completed } from './completed-document.ts';
import type { Document, Operation } from './docs-document.ts';
import { errorSchema } from './envelope.ts';
import { type ErrorCode, sentenceOf, statusOf } from './errors.ts';
import { lazily } from './lazily.ts';

const PREFIX = '/api/v1';

export interface OpenApiOptions {
  readonly publicUrl: string;
  readonly version: string;
  /** The webhooks sent to customers' endpoints, by event type. */
  readonly webhooks?: Readonly<Record<string, DocumentedWebhook>> | undefined;
  /** Operation names by `GET /emails/{id}`; others are derived from their path. */
  readonly operationIds?: Readonly<Record<string, string>> | undefined;
}

export interface DocumentedWebhook {
  readonly summary: string;
  readonly payload: TSchema;
  readonly example?: object | null;
}

/** The served document: built on first use, after all routes are registered. */
export function openApiDocument(app: FastifyInstance): Document {
  const document = documents.get(app)?.();
  if (!document) throw new Error('this app has no OpenAPI document');
  return document;
}

const documents = new WeakMap<FastifyInstance, () => Document>();

export function registerOpenApi(
  app: FastifyInstance,
  { publicUrl, version, webhooks = {}, operationIds = {} }: OpenApiOptions,
): void {
  app.addSchema(errorSchema);
  app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Postrider API', version, description: INTRODUCTION },
      servers: [{ url: publicUrl + PREFIX }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, as `Authorization: Bearer <API_KEY>`.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'postrider_session',
            description: 'Session cookie of a signed-in person.',
          },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
    },
    stripBasePath: false,
    transform: ({ schema, url, route }) => ({
      schema: documented(schema ?? {}, url, route, operationIds),
      url: shortened(url),
    }),
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        (schema.$id as string | undefined) ?? `def-${index}`,
    },
  });
  let document: Document | undefined;
  documents.set(app, () => {
    document ??= { ...completed(app.swagger() as unknown as Document), webhooks: webhookPaths(webhooks) };
    return document;
  });
  // Serialized once: the document is public, and serializing it takes tens of milliseconds.
  const written = lazily(() => Buffer.from(JSON.stringify(openApiDocument(app))));
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(written()),
  );
}

function webhookPaths(
  webhooks: Readonly<Record<string, DocumentedWebhook>>,
): Record<string, { post: Operation }> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([type, message]) => [type, { post: webhookOperation(type, message) }]),
  );
}

/** Documents the receiver's side: any 2xx within 15 seconds counts as delivered. */
function webhookOperation(type: string, { summary, payload, example }: DocumentedWebhook): Operation {
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return {
    operationId: `on${capitalized(type)}`,
    tags: ['Webhooks'],
    summary,
    security: [],
    parameters: signed.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    requestBody: { required: true, content: { 'application/json': { schema: plainOf(payload), example } } },
    responses: {
      '2XX': {
        description: 'The endpoint accepted the webhook. Other responses are retried over three days.',
      },
    },
  };
}

/** Removes the names of shared schemas, which have a meaning only within routes. */
function plainOf(schema: TSchema): object {
  const text = JSON.stringify(schema, (name, value) => (name === '$id' ? undefined : value));
  return withNulls(JSON.parse(text)) as object;
}

/** Replaces `nullable`, which serializes fastest, by OpenAPI 3.1 type lists. */
function withNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNulls);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Record<string, unknown>;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withNulls(value)]));
  return nullable === true ? { ...inner, type: [inner.type, 'null'] } : inner;
}

const INTRODUCTION = `Bodies are JSON. A success is \`{"data": …}\`, a list adds \`pagination\`, and an error is \
\`{"error": {"code", "message", "details"}}\`. Every response carries \`X-Request-Id\` and the \`X-RateLimit-*\` headers. \
Unknown fields and parameters are refused, never ignored. A path that does not support a method responds with 405 and the header \`Allow\`. Timestamps are ISO 8601 UTC with milliseconds.`;

function shortened(url: string): string {
  return url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : url;
}

/** `config` is the route's. The result is plain JSON, without the check functions. */
function documented(
  schema: FastifySchema,
  url: string,
  route: RouteOptions,
  operationIds: Readonly<Record<string, string>>,
): FastifySchema {
  if (!url.startsWith(`${PREFIX}/`)) return { hide: true };
  const plain = JSON.parse(JSON.stringify(schema)) as FastifySchema & Record<string, unknown>;
  const method = String(route.method);
  const path = documentedPath(url);
  plain.operationId = operationIds[`${method} ${path}`] ?? namedAfterPath(method, path);
  plain['x-scopes'] = scopesOf(route.config ?? {}, method);
  plain['x-tied'] = route.config?.tied === true;
  if (route.config?.audit) plain['x-audit'] = route.config.audit.action;
  if (route.config?.public) plain.security = [];
  if (route.config?.access) {
    plain['x-access'] = route.config.access;
    plain.security = [{ session: [] }];
  }
  for (const part of ['body', 'querystring'] as const) relaxDefaults(plain[part]);
  sayPlainly(plain.body);
  if (route.config?.hasDryRun) showDryRunElsewhere(plain, path);
  plain.response = { ...(plain.response as object), ...errorResponses(url, route) };
  return plain;
}

/** `/api/v1/emails/:id` → `/emails/{id}` */
function documentedPath(url: string): string {
  return shortened(url).replaceAll(/:(\w+)/g, '{$1}');
}

/** `GET /letters/{id}` → `getLettersId` */
function namedAfterPath(method: string, path: string): string {
  return method.toLowerCase() + capitalized(path);
}

/** `/letters/{id}` → `LettersId` */
function capitalized(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]*([A-Za-z0-9]+)[^A-Za-z0-9]*/g, (_, word: string) => {
    return word.charAt(0).toUpperCase() + word.slice(1);
  });
}

function showDryRunElsewhere(plain: FastifySchema & Record<string, unknown>, path: string): void {
  const { 200: _, ...response } = plain.response as Record<string, unknown>;
  plain.response = response;
  delete plain.querystring;
  plain.description =
    `${plain.description ?? ''} \`POST ${path}/dry-run\` previews the result and sends nothing.`.trim();
}

/** A field with a default need not be sent, though the handler always has it. */
function relaxDefaults(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const node = schema as { properties?: Record<string, { default?: unknown }>; required?: string[] };
  if (node.required && node.properties) {
    node.required = node.required.filter((name) => node.properties?.[name]?.default === undefined);
    if (node.required.length === 0) delete node.required;
  }
  for (const inner of Object.values(schema)) relaxDefaults(inner);
}

/**
 * Translates our own keywords. `oneNeeded` marks a check that names the fields better than ajv would; the
 * document shows it as a rule. `judgedApart` only concerns the validator.
 */
function sayPlainly(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const node = schema as { oneNeeded?: readonly string[]; anyOf?: object[]; judgedApart?: true };
  if (node.oneNeeded) node.anyOf = node.oneNeeded.map((name) => ({ required: [name] }));
  delete node.oneNeeded;
  delete node.judgedApart;
  for (const inner of Object.values(schema)) sayPlainly(inner);
}

function errorResponses(url: string, route: RouteOptions): Record<string, unknown> {
  const codes: ErrorCode[] = [
    'VALIDATION_ERROR', // unknown parameters and unexpected bodies are refused everywhere
    ...(route.config?.public ? [] : (['UNAUTHORIZED', 'FORBIDDEN'] as const)),
    ...(url.includes('/:') ? (['NOT_FOUND'] as const) : []),
    // A body is read before the route refuses it; only GET bodies are ignored.
    ...(route.method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(route.config?.errors ?? []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
  ];
  const responses: Record<string, { description: string; $ref: string }> = {};
  for (const code of new Set(codes)) {
    const known = responses[statusOf(code)];
    const line = `${code}: ${sentenceOf(code)}`;
    responses[statusOf(code)] = {
      description: known ? `${known.description}\n${line}` : line,
      $ref: 'Error#',
    };
  }
  return responses;
}
