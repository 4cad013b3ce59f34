/** The API's limits for one client address without a key. A trusted proxy names the addresses. */
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { UnauthenticatedLimits } from '../../src/http/unauthenticated-quotas.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const A = '198.51.100.7';
const B = '198.51.100.8';

let database: TestDatabase;
let server: TestApi | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function start(quotas: Partial<UnauthenticatedLimits>, trustProxy = 'true'): Promise<TestApi> {
  // A stopped clock, because the minute must not end during the test.
  const nowMs = Date.now();
  const env = { POSTRIDER_TRUST_PROXY: trustProxy };
  server = await startApi({ database, env, quotas, clock: { nowMs: () => nowMs } });
  return server;
}

interface Asked {
  readonly from: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function ask({ from, path, method = 'GET', headers = {}, body }: Asked): Promise<number> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch((server as TestApi).url + path, {
    method,
    redirect: 'manual',
    headers: { ...json, ...headers, 'x-forwarded-for': from },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function inTurn(requests: readonly Asked[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const one of requests) statuses.push(await ask(one));
  return statuses;
}

/** A key that does not exist. */
const guessOf = (from: string, n = 0) => `guess-${from.replaceAll(/\W/g, '-')}-${n}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (user: string, token: string) => ({ authorization: `Basic ${btoa(`${user}:${token}`)}` });

/** Resend says 403 to an unknown key. */
const no = expect.toBeOneOf([401, 403]);

describe('unknown keys of one address', () => {
  it.each([
    ['the API', '/api/v1/emails', 'GET', bearer],
    ['the short prefix', '/v1/emails', 'GET', bearer],
    ['MCP', '/mcp', 'POST', bearer],
    ['the Resend API', '/compat/resend/emails', 'POST', bearer],
    ['the SendGrid API', '/compat/sendgrid/v3/mail/send', 'POST', bearer],
    [
      'the Postmark API',
      '/compat/postmark/email',
      'POST',
      (token: string) => ({ 'x-postmark-server-token': token }),
    ],
    ['the Mailgun API', '/compat/mailgun/v3/x.test/messages', 'POST', (token: string) => basic('api', token)],
    [
      'a session',
      '/api/v1/auth/me',
      'GET',
      (token: string) => ({ cookie: `postrider_session=${token.padEnd(43, 'x')}` }),
    ],
  ])(
    'are looked up so many times a minute by %s, and those of another are',
    async (_name, path, method, auth) => {
      await start({ keyLookUps: 3 });
      const guess = (from: string) => (n: number) => ({
        from,
        path,
        method,
        headers: auth(guessOf(from, n)),
      });
      expect(await inTurn([1, 2, 3, 4, 5].map(guess(A)))).toEqual([no, no, no, 429, 429]);
      expect(await inTurn([1, 2, 3].map(guess(B)))).toEqual([no, no, no]);
    },
  );

  it('do not keep out a key that was good before, nor a new one of another address', async () => {
    const { createOrganization } = await start({ keyLookUps: 1 });
    const [known, fresh] = [await createOrganization(), await createOrganization()];
    const read = (from: string, key: string) => ({ from, path: '/api/v1/emails', headers: bearer(key) });
    expect(await inTurn([read(A, known.key), read(A, 'guess-1'), read(A, 'guess-2')])).toEqual([
      200, 401, 429,
    ]);
    expect(await inTurn([read(A, known.key), read(A, fresh.key), read(B, fresh.key)])).toEqual([
      200, 429, 200,
    ]);
  });

  it('are counted for the connection where no proxy is trusted, whatever a header says', async () => {
    await start({ keyLookUps: 1 }, 'false');
    const guess = (from: string) => ({ from, path: '/api/v1/emails', headers: bearer(guessOf(from)) });
    expect(await inTurn([guess(A), guess(B)])).toEqual([401, 429]);
  });

  it('are counted for the network of 64 bits that an IPv6 address is in', async () => {
    await start({ keyLookUps: 1 });
    const guess = (from: string) => ({ from, path: '/api/v1/emails', headers: bearer(guessOf(from)) });
    expect(await inTurn([guess('2001:db8::1'), guess('2001:db8::2'), guess('2001:db8:0:1::1')])).toEqual([
      ...[401, 429, 401],
    ]);
  });
});

describe('requests of one address that need no key', () => {
  const email = 'someone@example.org';
  it.each([
    ['sign in', '/api/v1/auth/sign-in', { email, password: 'wrong password' }],
    ['set the installation up', '/api/v1/auth/sign-up', { email, password: 'long enough', setup_token: 'x' }],
    ['ask for a new password', '/api/v1/auth/password-reset', { email }],
    ['set a new password', '/api/v1/auth/password-reset/confirm', { token: 'x', password: 'long enough' }],
    ['accept an invite', '/api/v1/invites/unknown/accept', {}],
    ['sign out', '/api/v1/auth/sign-out', {}],
  ])('and %s are so many a minute, and those of another are answered', async (_name, path, body) => {
    await start({ accountRequests: 2 });
    const send = (from: string) => ({ from, path, method: 'POST', body });
    const [first, second, third] = await inTurn([send(A), send(A), send(A)]);
    expect([first === 429, second === 429, third]).toEqual([false, false, 429]);
    expect(await ask(send(B))).not.toBe(429);
  });

  it.each([
    ['the pixel', '/t/o/unknown.gif'],
    ['a tracked link', '/t/c/unknown'],
    ['the page to unsubscribe', '/u/unknown'],
    ['the question for a certificate', '/t/ask?domain=unknown.example'],
    ['a received file', '/received/unknown'],
    ['the documentation', '/docs'],
    ['the dashboard', '/'],
    ['the OpenAPI document', '/openapi.json'],
    ['the keys of proofs', '/.well-known/postrider-proof-keys.json'],
    ['metrics', '/metrics'],
    ['a path that there is not', '/nothing-here'],
  ])('for %s are so many a minute, and those of another are answered', async (_name, path) => {
    await start({ pages: 2 });
    const [first, second, third] = await inTurn([1, 2, 3].map(() => ({ from: A, path })));
    expect([first === 429, second === 429, third]).toEqual([false, false, 429]);
    expect(await ask({ from: B, path })).not.toBe(429);
  });

  it('under names of other hosts are looked up so many times a minute', async () => {
    await start({ hostLookUps: 2 });
    const certificate = (from: string) => (n: number) => ({ from, path: `/t/ask?domain=h${n}.example` });
    expect(await inTurn([1, 2, 3].map(certificate(A)))).toEqual([404, 404, 429]);
    expect(await inTurn([4].map(certificate(B)))).toEqual([404]);
  });

  it('may ask how the server is as often as they like', async () => {
    await start({ pages: 1 });
    const health = ['/healthz', '/readyz', '/healthz', '/readyz'].map((path) => ({ from: A, path }));
    expect(await inTurn(health)).toEqual([200, 200, 200, 200]);
  });
});

describe('a body of 20 MB', () => {
  /** The status that is answered before any of the body was sent. */
  function statusWithoutBody(path: string, host: string): Promise<number> {
    const socket = connect(Number(new URL((server as TestApi).url).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 20000000\r\n\r\n`,
    );
    return new Promise((resolve, reject) => {
      socket.once('data', (data) => {
        resolve(Number(data.toString().split(' ')[1]));
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  it.each([
    ['/api/v1/emails/send', 401],
    ['/v1/emails/send', 401],
    ['/compat/resend/emails', 401],
    ['/compat/sendgrid/v3/mail/send', 401],
    ['/compat/postmark/email', 401],
    ['/compat/mailgun/v3/x.test/messages', 401],
    ['/mcp', 401],
    ['/api/v1/auth/sign-in', 413],
    ['/u/unknown', 413],
    ['/api/v1/nothing', 404],
    ['/nothing', 404],
    ['/healthz', 404],
    ['/openapi.json', 404],
  ])('to %s is not waited for when there is no key', async (path, status) => {
    await start({});
    expect(await statusWithoutBody(path, '127.0.0.1')).toBe(status);
  });
});
