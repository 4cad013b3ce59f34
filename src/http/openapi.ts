/**
 * The OpenAPI document, made from the very schemas that validate and serialize. Only `/api/v1` is shown: it is the
 * canonical prefix, `/v1` serves the same. What every route shares (bearer key, usual errors) is added here.
 */
import { fastifySwagger } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { scopesOf } from './access.ts';
import { errorSchema } from './envelope.ts';
import { type ErrorCode, sentenceOf, statusOf } from './errors.ts';

const PREFIX = '/api/v1';

export interface OpenApiOptions {
  readonly publicUrl: string;
  readonly version: string;
}

export function registerOpenApi(app: FastifyInstance, { publicUrl, version }: OpenApiOptions): void {
  app.addSchema(errorSchema);
  app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Postrider API', version, description: INTRODUCTION },
      servers: [{ url: publicUrl + PREFIX }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'postrider_session',
            description: 'A person who is signed in.',
          },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
    },
    stripBasePath: false,
    transform: ({ schema, url, route }) => ({
      schema: documented(schema ?? {}, url, route),
      url: shortened(url),
    }),
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        (schema.$id as string | undefined) ?? `def-${index}`,
    },
  });
  app.get('/openapi.json', async (_request, reply) => {
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(app.swagger()));
  });
}

const INTRODUCTION = `Bodies are JSON. A success is \`{"data": …}\`, a list adds \`pagination\`, and an error is \
\`{"error": {"code", "message", "details"}}\`. Every response carries \`X-Request-Id\` and the \`X-RateLimit-*\` headers. \
Unknown fields and parameters are refused, never ignored. Timestamps are ISO 8601 UTC with milliseconds.`;

function shortened(url: string): string {
  return url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : url;
}

/** `config` is the route's; the result is plain JSON, so that checks (functions) stay behind. */
function documented(schema: FastifySchema, url: string, route: RouteOptions): FastifySchema {
  if (!url.startsWith(`${PREFIX}/`)) return { hide: true };
  const plain = JSON.parse(JSON.stringify(schema)) as FastifySchema & Record<string, unknown>;
  const method = String(route.method);
  plain.operationId ??= operationId(method, shortened(url));
  plain['x-scopes'] = scopesOf(route.config ?? {}, method);
  plain['x-tied'] = route.config?.tied === true;
  if (route.config?.audit) plain['x-audit'] = route.config.audit.action;
  if (route.config?.public) plain.security = [];
  if (route.config?.access) {
    plain['x-access'] = route.config.access;
    plain.security = [{ session: [] }];
  }
  for (const part of ['body', 'querystring'] as const) relaxDefaults(plain[part]);
  plain.response = { ...(plain.response as object), ...errorResponses(plain, url, route) };
  return plain;
}

/** `POST /emails/:id/cancel` → `post_emails_id_cancel` */
function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`;
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

function errorResponses(schema: FastifySchema, url: string, route: RouteOptions): Record<string, unknown> {
  const asked = Object.keys((schema.querystring as { properties?: object } | undefined)?.properties ?? {});
  const codes: ErrorCode[] = [
    ...(schema.body || asked.length > 0 ? (['VALIDATION_ERROR'] as const) : []),
    ...(route.config?.public ? [] : (['UNAUTHORIZED', 'FORBIDDEN'] as const)),
    ...(url.includes('/:') ? (['NOT_FOUND'] as const) : []),
    ...(schema.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
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
