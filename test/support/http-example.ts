/** A minimal slice and its app, for the tests of the HTTP kit. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { ApiRoutes } from '../../src/http/api-routes.ts';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import { dataOf, pageOf } from '../../src/http/envelope.ts';
import { ApiError, UnavailableError } from '../../src/http/errors.ts';
import { pageFields, paginated } from '../../src/http/pagination.ts';
import type { Principal } from '../../src/http/principal.ts';
import {
  anyObject,
  checked,
  mapOf,
  nullable,
  strictObject,
  stringEnum,
  timestamp,
} from '../../src/http/schema.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { hashToken } from '../../src/runtime/tokens.ts';

export class TestClock {
  now = 1_800_000_000_000;
  nowMs(): number {
    return this.now;
  }
}

const Address = strictObject(
  {
    email: checked(Type.String({ maxLength: 320 }), (email, problems) => {
      if (!email.includes('@')) problems.add('', 'is not an email address');
    }),
    name: Type.Optional(Type.String()),
  },
  { $id: 'Address' },
);

const Letter = checked(
  strictObject({
    from: Address,
    to: Type.Array(Address, { minItems: 1, maxItems: 50, description: 'Who gets it.' }),
    subject: Type.String({ minLength: 1, maxLength: 998 }),
    html: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    priority: stringEnum(['high', 'normal', 'low'], { default: 'normal' }),
    headers: Type.Optional(mapOf(Type.String())),
    data: Type.Optional(anyObject()),
    callback: Type.Optional(Type.String({ format: 'uri' })),
    code: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
    reply: Type.Optional(Type.Union([Address, Type.Null()])),
    copies: Type.Optional(Type.Union([Address, Type.Array(Address, { maxItems: 2 })])),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
  }),
  (letter, problems) => {
    if (letter.html === undefined && letter.text === undefined)
      problems.add('html', 'html or text is required');
  },
);

const StoredLetter = Type.Object(
  {
    id: Type.String(),
    subject: Type.String(),
    priority: Type.String(),
    sent_at: nullable(timestamp()),
  },
  { $id: 'Letter' },
);

const ListQuery = strictObject({
  ...pageFields,
  is_active: Type.Optional(Type.Boolean()),
  tag: Type.Optional(Type.Array(Type.String())),
});

export const letterRoutes: ApiRoutes = async (app) => {
  const tags = ['Letters'];

  app.post(
    '/letters',
    {
      config: { scope: 'send', errors: ['DOMAIN_NOT_VERIFIED'] },
      schema: { tags, summary: 'Send a letter', body: Letter, response: { 201: dataOf(StoredLetter) } },
    },
    async (request, reply) => {
      const letter: Static<typeof Letter> = request.body;
      const { subject, priority } = letter;
      return reply.code(201).send({ data: { id: 'letter_1', subject, priority, sent_at: null } });
    },
  );

  app.get(
    '/letters',
    {
      config: { scope: 'send' },
      schema: {
        tags,
        summary: 'List letters',
        querystring: ListQuery,
        response: { 200: pageOf(StoredLetter) },
      },
    },
    async ({ query }) => paginated([], { page: query.page, limit: query.limit, total: 41 }),
  );

  app.get(
    '/letters/:id',
    {
      schema: {
        tags,
        summary: 'Read a letter',
        params: Type.Object({ id: Type.String({ pattern: '^letter_' }) }),
        response: { 200: dataOf(StoredLetter) },
      },
    },
    async ({ params, principal }) => {
      const leaks = { secret: 'never leaves' };
      const sent_at = new Date(0);
      return {
        data: { id: params.id, subject: principal.organizationId, priority: 'low', sent_at, ...leaks },
      };
    },
  );

  app.delete('/letters/:id', { schema: { tags, summary: 'Delete' } }, async () => ({
    data: { deleted: true },
  }));
  app.post('/letters/:id/cancel', { schema: { tags, summary: 'Cancel' } }, async () => ({ data: {} }));
};

export const failureRoutes: ApiRoutes = async (app) => {
  const schema = { tags: ['Failures'], summary: 'Fail' };
  app.get('/failures/unexpected', { schema }, async () => {
    throw new TypeError('password=hunter2 at /srv/secret.ts');
  });
  app.get('/failures/away', { schema }, async () => {
    throw new UnavailableError();
  });
  app.get('/failures/database', { schema }, async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  });
  app.get('/failures/limit', { schema }, async () => {
    throw new ApiError('LIMIT_EXCEEDED', [], undefined, { retryAfterSeconds: 3600 });
  });
  app.get('/failures/nobody', { config: { public: true }, schema }, async (request) => request.principal);
};

const full: Principal = { organizationId: 'org_1', keyId: 'key_full', scope: 'full', domain: null };
const sending: Principal = { organizationId: 'org_1', keyId: 'key_send', scope: 'send', domain: null };

export const FULL_KEY = 'full-key-of-the-tests-0001';
export const SEND_KEY = 'send-key-of-the-tests-0001';

/** A lookup of fixed keys that counts its calls. */
export class TestKeys {
  readonly keys = new Map<string, Principal>([
    [hashToken(FULL_KEY).toString('hex'), full],
    [hashToken(SEND_KEY).toString('hex'), sending],
  ]);
  asked = 0;
  find = async (hash: Buffer): Promise<Principal | null> => {
    this.asked += 1;
    return this.keys.get(hash.toString('hex')) ?? null;
  };
}

export function exampleApp(options: Partial<AppOptions> = {}): FastifyInstance {
  return createApp({
    log: createLog('test', 'silent'),
    clock: new TestClock(),
    rateLimit: 100,
    trustProxy: false,
    publicUrl: 'http://localhost:3000',
    version: '1.2.3',
    authenticate: new TestKeys().find,
    ready: async () => null,
    metrics: createMetrics('test'),
    metricsAccess: { token: undefined, openTo: 'everybody' },
    isUnavailable: (error) => (error as { code?: string }).code === 'ECONNREFUSED',
    routes: [letterRoutes, failureRoutes],
    ...options,
  });
}

export const asFull = { authorization: `Bearer ${FULL_KEY}` };
export const asSender = { authorization: `Bearer ${SEND_KEY}` };

export const goodLetter = {
  from: { email: 'a@example.org' },
  to: [{ email: 'b@example.org', name: 'B' }],
  subject: 'Hello',
  text: 'Hi',
};
