import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { exampleApp, FULL_KEY, SEND_KEY, TestKeys } from '../../test/support/http-example.ts';
import type { AuditEntry } from '../runtime/audit-entry.ts';
import { type AppOptions, BODY_LIMIT } from './app.ts';
import { onlyHeader } from './authenticate.ts';
import type { Dialect } from './dialect.ts';
import { KeyCache } from './key-cache.ts';
import { SessionGate } from './session-gate.ts';

/** Shares no format with our own API. */
const toy: Dialect = {
  prefix: '/compat/toy',
  tokenOf: (request) => onlyHeader(request, 'x-toy-key'),
  writeError: ({ code, statusCode }) => ({
    status: statusCode === 401 ? 499 : statusCode,
    type: 'text/x-toy',
    body: `toy: ${code}`,
  }),
  rateHeaders: ({ remaining }) => ({ 'Toy-Left': String(remaining) }),
  routes: (app) => {
    app.post('/things', { config: { scope: 'send' } }, async ({ body }) => ({ got: body ?? null }));
    app.delete('/things/:id', { config: { audit: { action: 'thing.deleted' } } }, async () => ({
      id: 'thing_1',
    }));
    app.get('/away', async () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    app.get('/broken', async () => {
      throw new TypeError('password=hunter2');
    });
  },
};

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

function start(options: Partial<AppOptions> = {}): FastifyInstance {
  const app = exampleApp({ dialects: [toy], ...options });
  apps.push(app);
  return app;
}

const asFull = { 'x-toy-key': FULL_KEY };
const json = { ...asFull, 'content-type': 'application/json' };

describe('a dialect', () => {
  it('answers a request with its key', async () => {
    const response = await start().inject({ method: 'POST', url: '/compat/toy/things', headers: asFull });
    expect([response.statusCode, response.json()]).toEqual([200, { got: null }]);
    expect(response.headers).toMatchObject({ 'toy-left': '99', 'x-ratelimit-remaining': '99' });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('ignores unknown fields, and treats an empty JSON body as missing', async () => {
    const app = start();
    const post = { method: 'POST', url: '/compat/toy/things', headers: json } as const;
    expect((await app.inject({ ...post, payload: '{"unheard":"of"}' })).json().got).toEqual({
      unheard: 'of',
    });
    expect((await app.inject({ ...post, payload: '' })).json().got).toBeNull();
  });

  it('writes changes into the audit log', async () => {
    const entries: AuditEntry[] = [];
    const app = start({ audit: async (entry) => void entries.push(entry) });
    await app.inject({ method: 'DELETE', url: '/compat/toy/things/7', headers: asFull });
    expect(entries).toMatchObject([{ action: 'thing.deleted', targetId: 'thing_1', actorId: 'key_full' }]);
  });
});

describe('a dialect reports in its own format', () => {
  const refusals: readonly (readonly [what: string, request: object, status: number, body: string])[] = [
    ['that the key is missing', { method: 'POST', url: '/compat/toy/things' }, 499, 'UNAUTHORIZED'],
    [
      'that the key is unknown',
      { method: 'POST', url: '/compat/toy/things', headers: { 'x-toy-key': 'unknown' } },
      499,
      'UNAUTHORIZED',
    ],
    [
      'that the scope of the key is too narrow',
      { method: 'DELETE', url: '/compat/toy/things/1', headers: { 'x-toy-key': SEND_KEY } },
      403,
      'FORBIDDEN',
    ],
    ['that there is no such path', { url: '/compat/toy/nothing', headers: asFull }, 404, 'NOT_FOUND'],
    ['that there is no such path, to anybody', { url: '/compat/toy/nothing' }, 404, 'NOT_FOUND'],
    ['that its root is no path', { url: '/compat/toy', headers: asFull }, 404, 'NOT_FOUND'],
    ['that the method is wrong', { url: '/compat/toy/things', headers: asFull }, 405, 'METHOD_NOT_ALLOWED'],
    [
      'that the body is not JSON',
      { method: 'POST', url: '/compat/toy/things', headers: json, payload: '{"a":' },
      400,
      'VALIDATION_ERROR',
    ],
    [
      'that a parameter cannot be stored',
      { method: 'POST', url: '/compat/toy/things?after=%00', headers: asFull },
      400,
      'VALIDATION_ERROR',
    ],
    [
      'that it knows no dry runs',
      { method: 'POST', url: '/compat/toy/things?dry_run=false', headers: asFull },
      400,
      'VALIDATION_ERROR',
    ],
    ['that the database is away', { url: '/compat/toy/away', headers: asFull }, 503, 'UNAVAILABLE'],
    [
      'that something broke, and not what',
      { url: '/compat/toy/broken', headers: asFull },
      500,
      'INTERNAL_ERROR',
    ],
  ];

  it.each(refusals)('%s', async (_, request, status, code) => {
    const response = await start().inject(request);
    expect([response.statusCode, response.body]).toEqual([status, `toy: ${code}`]);
    expect(response.headers['content-type']).toBe('text/x-toy');
  });

  it('the methods of a path', async () => {
    const response = await start().inject({ url: '/compat/toy/things', headers: asFull });
    expect(response.headers.allow).toBe('OPTIONS, POST');
  });

  it('that a body is too large', async () => {
    const headers = { ...json, 'content-length': String(BODY_LIMIT + 1) };
    const response = await start().inject({
      method: 'POST',
      url: '/compat/toy/things',
      headers,
      payload: '{}',
    });
    expect([response.statusCode, response.body]).toEqual([413, 'toy: PAYLOAD_TOO_LARGE']);
  });

  it('that there were too many requests, and when to retry', async () => {
    const app = start({ rateLimit: 1 });
    const ask = () => app.inject({ method: 'POST', url: '/compat/toy/things', headers: asFull });
    expect((await ask()).statusCode).toBe(200);
    const response = await ask();
    expect([response.statusCode, response.body]).toEqual([429, 'toy: RATE_LIMITED']);
    expect(response.headers).toMatchObject({
      'toy-left': '0',
      'retry-after': expect.stringMatching(/^\d+$/),
    });
  });

  it('when to retry while the database is unavailable', async () => {
    const response = await start().inject({ url: '/compat/toy/away', headers: asFull });
    expect(response.headers['retry-after']).toBe('5');
  });
});

describe('a cookie', () => {
  const token = 'c'.repeat(43);
  const session = { userId: 'user_1', role: 'owner', isOperator: true, hash: Buffer.alloc(32) } as const;
  const person = { organizationId: 'org_1', keyId: null, scope: 'full', domain: null, session } as const;
  const sessions = () => new SessionGate(new KeyCache(async () => person), 'http://localhost:3000');
  const headers = { cookie: `postrider_session=${token}` };

  it('authenticates a user in our own API', async () => {
    const response = await start({ sessions: sessions() }).inject({ url: '/api/v1/letters', headers });
    expect(response.statusCode).toBe(200);
  });

  it('is ignored in a dialect', async () => {
    const app = start({ sessions: sessions(), authenticate: new TestKeys().find });
    const response = await app.inject({ method: 'POST', url: '/compat/toy/things', headers });
    expect(response.body).toBe('toy: UNAUTHORIZED');
  });
});
