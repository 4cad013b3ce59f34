/** The client against a server that misbehaves as it is told. */
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../../test/support/scripted-server.ts';
import { Postrider } from './client.ts';
import {
  ConnectionError,
  PostriderError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts';

let server: ScriptedServer;
let client: Postrider;
beforeAll(async () => {
  server = await startScriptedServer();
  client = new Postrider({ apiKey: 'pr_test', baseUrl: server.url });
});
afterAll(() => server.close());

const EMAIL = {
  from: { email: 'a@example.org' },
  to: [{ email: 'b@example.org' }],
  subject: 'Hi',
  text: 'Hi',
};
const OK = { status: 200, body: { data: { fine: true } } };
const BUSY = { status: 503, body: { error: { code: 'UNAVAILABLE', message: 'Later.', details: [] } } };

/** What a promise fails with. */
async function failure(promise: Promise<unknown>): Promise<PostriderError> {
  const error = await promise.then(
    () => new Error('it worked'),
    (reason: unknown) => reason,
  );
  if (error instanceof PostriderError) return error;
  throw error;
}

describe('a request', () => {
  it('carries the key, and nothing it was not given', async () => {
    server.script(OK);
    await client.emails.list({ status: 'bounced', subject: 'a b&c', tag: undefined });
    expect(server.asked[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/emails?status=bounced&subject=a+b%26c',
      headers: { authorization: 'Bearer pr_test' },
      text: '',
    });
    expect(server.asked[0]?.headers).not.toHaveProperty('content-type');
    expect(server.asked[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it.each(['', '/', '/api/v1', '/v1/'])('finds the API when the address ends in "%s"', async (end) => {
    server.script(OK);
    await new Postrider({ apiKey: 'pr_test', baseUrl: server.url + end }).organization.get();
    expect(server.asked[0]?.url).toMatch(/^(\/api)?\/v1\/organization$/);
  });

  it('keeps an id from leading to another route', async () => {
    server.script(OK);
    await client.emails.get('../domains?x=1#');
    expect(server.asked[0]?.url).toBe('/api/v1/emails/..%2Fdomains%3Fx%3D1%23');
    await expect(client.emails.get('')).rejects.toThrow(TypeError);
    await expect(client.emails.get('..')).rejects.toThrow(TypeError);
  });

  it('goes through the fetch it was given, with cookies where they were asked for', async () => {
    const seen: [string, RequestInit][] = [];
    const session = new Postrider({
      baseUrl: 'https://mail.example.org',
      credentials: 'same-origin',
      fetch: async (url, init) => {
        seen.push([url, init]);
        return Response.json({ data: { id: 'org_1' } });
      },
    });
    expect(await session.organization.get()).toEqual({ id: 'org_1' });
    expect(seen[0]?.[0]).toBe('https://mail.example.org/api/v1/organization');
    expect(seen[0]?.[1]).toMatchObject({ credentials: 'same-origin' });
    expect(seen[0]?.[1].headers).not.toHaveProperty('authorization');
  });

  it('needs to know where to go', () => {
    expect(() => new Postrider({ apiKey: 'pr_test' })).toThrow(/where Postrider runs/);
    expect(() => new Postrider({ baseUrl: 'mail.example.org' })).toThrow(/begin with http/);
  });

  it('takes a key with the end of its line, and no key that is none', async () => {
    server.script(OK);
    await new Postrider({ apiKey: 'pr_test\n', baseUrl: server.url }).organization.get();
    expect(server.asked[0]?.headers.authorization).toBe('Bearer pr_test');
    for (const apiKey of ['', ' ', 'a b', 'ü'])
      expect(() => new Postrider({ apiKey, baseUrl: server.url })).toThrow(/apiKey/);
  });
});

describe('a send', () => {
  it('is tried again under the same key, and a second call has another', async () => {
    server.script(BUSY, 'drop', { status: 201, body: { data: { message_id: 'x' } } });
    expect(await client.emails.send(EMAIL)).toEqual({ message_id: 'x' });
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^sdk_[\w-]{20,}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(new Set(server.asked.map(({ text }) => text)).size).toBe(1);
    server.script(OK);
    await client.emails.send(EMAIL);
    expect(server.asked[0]?.headers['idempotency-key']).not.toBe(keys[0]);
  });

  it('takes a key of the caller', async () => {
    server.script(OK);
    await client.emails.send(EMAIL, { idempotencyKey: 'order-1' });
    expect(server.asked[0]?.headers['idempotency-key']).toBe('order-1');
  });

  it('gives up when the retries are used up, and says how often it tried', async () => {
    server.script('break');
    const error = await failure(client.emails.send(EMAIL, { maxRetries: 1 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: 0, attempts: 2 });
    expect(server.asked).toHaveLength(2);
  });
});

describe('what cannot be repeated', () => {
  it('is sent once', async () => {
    server.script('drop', OK);
    const error = await failure(client.webhooks.rotateSecret('whk_1'));
    expect(error).toMatchObject({ name: 'ConnectionError', attempts: 1 });
    expect(server.asked).toHaveLength(1);
  });

  it('is sent again when it was turned away before anything was done', async () => {
    const limited = {
      error: {
        code: 'RATE_LIMITED',
        message: 'Too many requests. Wait for the seconds in Retry-After, then try again.',
        details: [],
      },
    };
    server.script({ status: 429, headers: { 'retry-after': '0' }, body: limited }, OK);
    expect(await client.webhooks.rotateSecret('whk_1')).toEqual({ fine: true });
    expect(server.asked).toHaveLength(2);
  });
});

describe('a failure', () => {
  it('has code, status, fields and the id of the request', async () => {
    const details = [{ field: 'to[0].email', message: 'has no @' }];
    server.script({
      status: 400,
      headers: { 'x-request-id': 'req_1' },
      body: { error: { code: 'VALIDATION_ERROR', message: 'One problem.', details } },
    });
    const error = await failure(client.emails.send(EMAIL));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      name: 'ValidationError',
      message: 'One problem.',
      code: 'VALIDATION_ERROR',
      status: 400,
      requestId: 'req_1',
      details,
      attempts: 1,
    });
  });

  it.each([
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [409, 'ConflictError'],
    [413, 'PostriderError'],
    [500, 'ServerError'],
  ])('of status %i is a %s', async (status, name) => {
    server.script({ status, body: { error: { code: 'CONFLICT', message: 'No.', details: [] } } });
    expect(await failure(client.organization.get({ maxRetries: 0 }))).toMatchObject({ name, status });
  });

  it('knows how long to wait, in seconds or until a date', async () => {
    const body = { error: { code: 'LIMIT_EXCEEDED', message: 'Tomorrow.', details: [] } };
    server.script({ status: 429, headers: { 'retry-after': '7200' }, body });
    const error = await failure(client.emails.send(EMAIL));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 7200, attempts: 1 });
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    server.script({ status: 429, headers: { 'retry-after': date }, body });
    expect((await failure(client.emails.send(EMAIL))).retryAfterSeconds).toBeGreaterThan(3500);
  });

  it("of a proxy that is not Postrider's is one too", async () => {
    server.script({
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: '<html>Bad gateway</html>',
    });
    const error = await failure(client.organization.get({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 502, details: [] });
  });

  it('is a page where JSON was expected', async () => {
    server.script({ status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Hi' });
    const error = await failure(client.organization.get());
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
    expect(error.message).toMatch(/baseUrl/);
  });
});

describe('patience', () => {
  it('ends with the time-out of each attempt', async () => {
    server.script('hang', OK);
    const impatient = new Postrider({ baseUrl: server.url, timeoutMs: 50 });
    expect(await impatient.organization.get({ timeoutMs: 200 })).toEqual({ fine: true });
    server.script('hang');
    const error = await failure(impatient.organization.get({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'TIMED_OUT', message: 'No answer within 50 ms.' });
  });

  it('ends when the caller says so', async () => {
    // A server of its own: a request of the test above, which timed out, may reach the shared one late and be counted here.
    const own = await startScriptedServer();
    onTestFinished(() => own.close());
    const calling = new Postrider({ apiKey: 'pr_test', baseUrl: own.url });
    const caller = new AbortController();
    own.script('hang');
    const hanging = calling.organization.get({ signal: caller.signal });
    await expect.poll(() => own.asked.length).toBe(1);
    caller.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
    await expect(calling.organization.get({ signal: caller.signal })).rejects.toThrow('enough');
    expect(own.asked).toHaveLength(1);
  });

  it('ends when the caller says so between two attempts as well', async () => {
    const caller = new AbortController();
    const refusal = Response.json(BUSY.body, { status: 503, headers: { 'retry-after': '50' } });
    const refused = new Postrider({ baseUrl: server.url, fetch: async () => refusal });
    const waiting = refused.organization.get({ signal: caller.signal });
    await expect.poll(() => refusal.bodyUsed).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  }, 20_000);

  it('leaves no listener on a signal that outlives the call', async () => {
    const { signal } = new AbortController();
    server.script(BUSY, OK);
    await client.organization.get({ signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
