import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import {
  asFull,
  asSender,
  exampleApp,
  FULL_KEY,
  goodLetter,
  TestClock,
  TestKeys,
} from '../../test/support/http-example.ts';
import { hashToken } from '../runtime/tokens.ts';
import type { AppOptions } from './app.ts';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

function start(options: Partial<AppOptions> = {}): FastifyInstance {
  const app = exampleApp(options);
  apps.push(app);
  return app;
}

const jsonType = { 'content-type': 'application/json' };

describe('paths', () => {
  it('are the same under /api/v1 and /v1', async () => {
    const app = start();
    for (const prefix of ['/api/v1', '/v1']) {
      const response = await app.inject({ url: `${prefix}/letters`, headers: asFull });
      expect(response.statusCode).toBe(200);
    }
  });

  it.each([
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1'],
    ['GET', '/v1/'],
    ['OPTIONS', '/api/v1/nothing'],
    ['GET', '/elsewhere'],
    ['PROPFIND', '/api/v1/nothing'],
  ])('that are unknown answer NOT_FOUND in the envelope: %s %s', async (method, url) => {
    const response = await start().inject({ method: method as 'GET', url });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ error: { code: 'NOT_FOUND', message: 'Not found.', details: [] } });
  });

  it('that are unknown are answered 404 regardless of the body', async () => {
    const response = await start().inject({
      method: 'POST',
      url: '/v1/nothing',
      headers: { 'content-type': 'text/csv' },
      payload: 'a,b',
    });
    expect(response.statusCode).toBe(404);
  });

  it('under the API are not swallowed by a page at the root', async () => {
    const app = start({
      rootRoutes: [
        async (root) => {
          root.get('/*', async () => 'the page');
        },
      ],
    });
    expect((await app.inject('/anything')).body).toBe('the page');
    expect((await app.inject('/api/v1/nothing')).json().error.code).toBe('NOT_FOUND');
  });

  it('answer HEAD like GET, without a body', async () => {
    const response = await start().inject({ method: 'HEAD', url: '/api/v1/letters', headers: asFull });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });
});

describe('authentication', () => {
  it.each([
    ['nothing', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['no token', { authorization: 'Bearer ' }],
    ['a token with spaces', { authorization: 'Bearer a b' }],
    ['an unknown token', { authorization: 'Bearer unknown-token-of-the-tests' }],
    ['an endless token', { authorization: `Bearer ${'x'.repeat(5000)}` }],
  ])('answers 401 to %s', async (_, headers) => {
    const response = await start().inject({ url: '/v1/letters', headers });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json().error).toMatchObject({ code: 'UNAUTHORIZED', details: [] });
  });

  it('happens before a body is looked at', async () => {
    const response = await start().inject({ method: 'POST', url: '/v1/letters', payload: 'garbage' });
    expect(response.statusCode).toBe(401);
  });

  it('gives the route its principal', async () => {
    const response = await start().inject({ url: '/v1/letters/letter_1', headers: asFull });
    expect(response.json().data.subject).toBe('org_1');
  });

  it('lets a sending key send and read its own mail, and nothing else', async () => {
    const app = start();
    const send = await app.inject({
      method: 'POST',
      url: '/v1/letters',
      headers: asSender,
      payload: goodLetter,
    });
    expect(send.statusCode).toBe(201);
    const read = await app.inject({ url: '/v1/letters/letter_1', headers: asSender });
    expect(read.statusCode).toBe(403);
    expect(read.json().error.code).toBe('FORBIDDEN');
  });

  it('throws when a route reads a principal that does not exist', async () => {
    const response = await start().inject('/v1/failures/nobody');
    expect(response.statusCode).toBe(500);
  });

  it('looks a key up once for many concurrent requests', async () => {
    const keys = new TestKeys();
    const app = start({ authenticate: keys.find });
    await app.ready();
    await Promise.all(Array.from({ length: 20 }, () => app.inject({ url: '/v1/letters', headers: asFull })));
    expect(keys.asked).toBe(1);
  });

  it('refuses a revoked key within a second, and accepts a new one', async () => {
    const keys = new TestKeys();
    const steady = new TestClock();
    const app = start({ authenticate: keys.find, steady });
    const status = async () => (await app.inject({ url: '/v1/letters', headers: asFull })).statusCode;
    expect(await status()).toBe(200);
    const hash = hashToken(FULL_KEY).toString('hex');
    const principal = keys.keys.get(hash);
    keys.keys.delete(hash);
    steady.now += 1000;
    expect(await status()).toBe(401);
    if (principal) keys.keys.set(hash, principal);
    steady.now += 1000;
    expect(await status()).toBe(200);
  });

  it('refuses a revoked key within a second when the clock is set back meanwhile', async () => {
    const keys = new TestKeys();
    const [clock, steady] = [new TestClock(), new TestClock()];
    const app = start({ authenticate: keys.find, clock, steady });
    const status = async () => (await app.inject({ url: '/v1/letters', headers: asFull })).statusCode;
    expect(await status()).toBe(200);
    keys.keys.clear();
    clock.now -= 3_600_000;
    steady.now += 1_000;
    expect(await status()).toBe(401);
  });

  it('never passes the token itself on', async () => {
    const seen: unknown[] = [];
    const app = start({
      authenticate: async (hash) => {
        seen.push(hash);
        return null;
      },
    });
    await app.inject({ url: '/v1/letters', headers: asFull });
    expect(seen).toEqual([hashToken(FULL_KEY)]);
  });

  it('does not cache a lookup that failed', async () => {
    const keys = new TestKeys();
    let away = true;
    const app = start({
      authenticate: async (hash) => {
        if (away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        return keys.find(hash);
      },
    });
    const first = await app.inject({ url: '/v1/letters', headers: asFull });
    expect(first.statusCode).toBe(503);
    away = false;
    expect((await app.inject({ url: '/v1/letters', headers: asFull })).statusCode).toBe(200);
  });
});

describe('errors', () => {
  it('that are unexpected are a plain 500 and reveal nothing', async () => {
    const response = await start().inject({ url: '/v1/failures/unexpected', headers: asFull });
    expect(response.statusCode).toBe(500);
    expect(response.json().error.code).toBe('INTERNAL_ERROR');
    expect(response.body).not.toMatch(/hunter2|secret|TypeError/);
  });

  it('that are unexpected are logged under the request id of the response', async () => {
    const lines: string[] = [];
    const app = start({ log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) });
    const response = await app.inject({ url: '/v1/failures/unexpected', headers: asFull });
    const [failure] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(failure).toMatchObject({
      requestId: response.headers['x-request-id'],
      err: { type: 'TypeError' },
    });
    expect(lines.join()).not.toContain(FULL_KEY);
  });

  it.each(['away', 'database'])('of a missing database are 503 with Retry-After (%s)', async (kind) => {
    const response = await start().inject({ url: `/v1/failures/${kind}`, headers: asFull });
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.json().error.code).toBe('UNAVAILABLE');
    expect(response.body).not.toMatch(/ECONNREFUSED/);
  });

  it('may say when to try again', async () => {
    const response = await start().inject({ url: '/v1/failures/limit', headers: asFull });
    expect(response.statusCode).toBe(429);
    expect(response.json().error.code).toBe('LIMIT_EXCEEDED');
    expect(response.headers['retry-after']).toBe('3600');
  });
});

describe('every response', () => {
  const requests = {
    200: { url: '/api/v1/letters', headers: asFull },
    401: { url: '/api/v1/letters' },
    404: { url: '/api/v1/nothing' },
    400: { method: 'POST', url: '/v1/letters', headers: { ...asFull, ...jsonType }, payload: '{' },
    413: {
      method: 'POST',
      url: '/v1/letters',
      headers: { ...asFull, ...jsonType },
      payload: Buffer.alloc(21 * 1024 * 1024, '1'),
    },
    415: {
      method: 'POST',
      url: '/v1/letters',
      headers: { ...asFull, 'content-type': 'text/csv' },
      payload: 'x',
    },
    500: { url: '/v1/failures/unexpected', headers: asFull },
    503: { url: '/v1/failures/away', headers: asFull },
  } as const;

  it.each(Object.entries(requests))(
    'carries limits, request id and security headers (%s)',
    async (status, request) => {
      const response = await start().inject(request as { url: string });
      expect(response.statusCode).toBe(Number(status));
      expect(response.headers).toMatchObject({
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '99',
        'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
        'x-request-id': expect.stringMatching(/^req_[0-9a-z]{20}$/),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': status === '200' ? 'private, no-cache' : 'no-store',
      });
    },
  );

  it.each(['/healthz', '/readyz', '/metrics', '/openapi.json', '/elsewhere'])(
    'carries them outside the API too: %s',
    async (url) => {
      const response = await start().inject(url);
      expect(response.headers).toMatchObject({
        'x-ratelimit-remaining': '100',
        'x-request-id': expect.stringMatching(/^req_/),
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it('keeps a request id that is harmless and replaces one that is not', async () => {
    const app = start();
    const idFor = async (given: string) =>
      (await app.inject({ url: '/healthz', headers: { 'x-request-id': given } })).headers['x-request-id'];
    expect(await idFor('trace-42_A')).toBe('trace-42_A');
    for (const bad of ['a b', 'x'.repeat(65), '<script>', '']) expect(await idFor(bad)).toMatch(/^req_/);
  });

  it('sends HSTS only where the public address is https', async () => {
    const plain = await start().inject('/healthz');
    expect(plain.headers).not.toHaveProperty('strict-transport-security');
    const secure = await start({ publicUrl: 'https://mail.example.org' }).inject('/healthz');
    expect(secure.headers).toHaveProperty('strict-transport-security');
  });
});

describe('the rate limit', () => {
  it('answers 429 with Retry-After once an organization has used up its window, with any key, and admits it again in the next', async () => {
    const clock = new TestClock();
    const app = start({ rateLimit: 2, clock });
    const ask = (headers = asFull) => app.inject({ url: '/v1/letters', headers });
    expect((await ask()).headers['x-ratelimit-remaining']).toBe('1');
    expect((await ask()).headers['x-ratelimit-remaining']).toBe('0');
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error.code).toBe('RATE_LIMITED');
    expect(refused.headers['retry-after']).toBe(refused.headers['x-ratelimit-reset']);
    expect((await ask(asSender)).statusCode).toBe(429);
    clock.now += 60_000;
    expect((await ask()).statusCode).toBe(200);
  });

  it('counts requests without a key by address, without affecting keys from there', async () => {
    const app = start({ rateLimit: 1 });
    expect((await app.inject('/v1/letters')).statusCode).toBe(401);
    expect((await app.inject('/v1/letters')).statusCode).toBe(429);
    expect((await app.inject({ url: '/v1/letters', headers: asFull })).statusCode).toBe(200);
  });

  it('never refuses health checks', async () => {
    const app = start({ rateLimit: 1 });
    for (let i = 0; i < 5; i += 1) expect((await app.inject('/healthz')).statusCode).toBe(200);
  });

  it('believes X-Forwarded-For only when configured to trust the proxy', async () => {
    const from = (app: FastifyInstance, address: string) =>
      app.inject({ url: '/v1/letters', headers: { 'x-forwarded-for': address } });
    const direct = start({ rateLimit: 1 });
    expect((await from(direct, '192.0.2.1')).statusCode).toBe(401);
    expect((await from(direct, '192.0.2.2')).statusCode).toBe(429);
    const proxied = start({ rateLimit: 1, trustProxy: true });
    expect((await from(proxied, '192.0.2.1')).statusCode).toBe(401);
    expect((await from(proxied, '192.0.2.2')).statusCode).toBe(401);
    expect((await from(proxied, '203.0.113.9, 192.0.2.2')).statusCode).toBe(429);
  });

  it("believes X-Forwarded-For only from its proxies' networks, through all of them", async () => {
    const app = start({ rateLimit: 1, trustProxy: ['10.0.0.0/8'] });
    const from = async (remoteAddress: string, forwarded: string) =>
      (await app.inject({ url: '/v1/letters', remoteAddress, headers: { 'x-forwarded-for': forwarded } }))
        .statusCode;
    expect(await from('10.0.0.1', '192.0.2.1')).toBe(401);
    expect(await from('10.0.0.2', '203.0.113.9, 192.0.2.1, 10.9.9.9')).toBe(429);
    expect(await from('198.51.100.1', '192.0.2.3')).toBe(401);
    expect(await from('198.51.100.1', '192.0.2.4')).toBe(429);
  });
});

describe('the server', () => {
  it('sets its timeouts explicitly', () => {
    const { server } = start();
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
      15_000, 120_000, 75_000,
    ]);
  });
});

describe('health', () => {
  it('share one readiness check among concurrent requests', async () => {
    let checks = 0;
    let answer: (reason: null) => void = () => {};
    const app = start({
      ready: () => {
        checks += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    await app.ready();
    const asked = [1, 2, 3].map(() => app.inject('/readyz'));
    await expect.poll(() => checks).toBe(1);
    // All three are waiting by the time another request is answered.
    await app.inject('/healthz');
    answer(null);
    expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(checks).toBe(1);
  });

  it('reports that it is ready, or why not', async () => {
    expect((await start().inject('/readyz')).json()).toEqual({ status: 'ready' });
    const away = await start({ ready: async () => 'the database is away' }).inject('/readyz');
    expect(away.statusCode).toBe(503);
    expect(away.json()).toEqual({ status: 'unavailable', reason: 'the database is away' });
  });

  it('is not ready when the check throws, and only logs the reason', async () => {
    const broken = start({
      ready: async () => {
        throw new Error('password=hunter2');
      },
    });
    const response = await broken.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.body).not.toMatch(/hunter2/);
    expect((await broken.inject('/healthz')).statusCode).toBe(200);
  });

  it('counts requests by route pattern, method and status class', async () => {
    const app = start();
    await app.inject({ url: '/api/v1/letters/letter_1', headers: asFull });
    await app.inject('/api/v1/nothing/at/all');
    const { body, headers } = await app.inject('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body).toMatch(
      /postrider_http_requests_total\{route="\/api\/v1\/letters\/:id",method="GET",status="2xx",role="test"\} 1/,
    );
    expect(body).toMatch(/route="\/api\/v1\/\*",method="GET",status="4xx"/);
    expect(body).toMatch(/process_cpu_seconds_total/);
    expect(body).not.toMatch(/nothing/);
  });
});
