import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asFull, exampleApp, goodLetter } from '../../test/support/http-example.ts';
import type { AppOptions } from './app.ts';
import type { ErrorEnvelope } from './errors.ts';
import { strictObject } from './schema.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = exampleApp({ rateLimit: 100_000 });
  await app.ready();
});
afterAll(() => app.close());

async function post(body: unknown) {
  return app.inject({ method: 'POST', url: '/api/v1/letters', headers: asFull, payload: body as object });
}

/** field → message for every problem that the API reports about this body. */
async function complaints(body: unknown): Promise<Record<string, string>> {
  const response = await post(body);
  expect(response.statusCode).toBe(400);
  const { error } = response.json<ErrorEnvelope>();
  expect(error.code).toBe('VALIDATION_ERROR');
  return Object.fromEntries(error.details.map(({ field, message }) => [field, message]));
}

async function queryComplaints(query: string): Promise<Record<string, string>> {
  const response = await app.inject({ url: `/api/v1/letters?${query}`, headers: asFull });
  expect(response.statusCode).toBe(400);
  const { error } = response.json<ErrorEnvelope>();
  return Object.fromEntries(error.details.map(({ field, message }) => [field, message]));
}

describe('a body', () => {
  it('that is valid is accepted, with its defaults filled in', async () => {
    const response = await post(goodLetter);
    expect(response.statusCode).toBe(201);
    expect(response.json().data).toMatchObject({ subject: 'Hello', priority: 'normal', sent_at: null });
  });

  it('with a mistyped field is refused with the nearest known field', async () => {
    expect(await complaints({ ...goodLetter, htm: 'x' })).toEqual({
      htm: 'unknown field `htm`, did you mean `html`?',
    });
    expect(await complaints({ ...goodLetter, zzzzzz: 1 })).toEqual({ zzzzzz: 'unknown field `zzzzzz`' });
    expect(await complaints({ ...goodLetter, to: [{ emial: 'x', email: 'b@c' }] })).toEqual({
      'to[0].emial': 'unknown field `emial`, did you mean `email`?',
    });
  });

  it('has all its problems reported at once, with paths', async () => {
    const found = await complaints({
      from: { email: 7 },
      to: [{ email: 'b@example.org' }, { name: 'no address' }, { email: 'nonsense' }],
      priority: 'urgent',
      retries: 9,
      code: 'abc',
      callback: 'nope',
      headers: { 'X-A': 1 },
      data: [],
      kind: 'c',
    });
    expect(found).toEqual({
      'from.email': 'must be a string',
      'to[1].email': 'is required',
      'to[2].email': 'is not an email address',
      subject: 'is required',
      priority: 'must be `high`, `normal` or `low`',
      retries: 'must be at most 5',
      code: 'must match ^[A-Z]{3}$',
      callback: 'must be a URL such as https://example.org/path',
      'headers.X-A': 'must be a string',
      data: 'must be an object',
      kind: 'must be `a` or `b`',
      html: 'html or text is required',
    });
  });

  it('is never coerced', async () => {
    expect(await complaints({ ...goodLetter, subject: 5, retries: '3' })).toEqual({
      subject: 'must be a string',
      retries: 'must be a whole number',
    });
  });

  it('gets readable sentences for empty, long and missing values', async () => {
    const tooMany = Array.from({ length: 51 }, () => ({ email: 'a@b' }));
    expect(await complaints({ ...goodLetter, subject: '', to: tooMany })).toEqual({
      subject: 'must not be empty',
      to: 'must have at most 50 items',
    });
    expect(await complaints({ ...goodLetter, subject: 'x'.repeat(999), to: [] })).toEqual({
      subject: 'must have at most 998 characters',
      to: 'must have at least 1 item',
    });
  });

  it('gets the problems of the one real branch of "this or null"', async () => {
    expect(await complaints({ ...goodLetter, reply: { email: 'nonsense' } })).toEqual({
      'reply.email': 'is not an email address',
    });
    expect((await post({ ...goodLetter, reply: null })).statusCode).toBe(201);
  });

  it.each([
    [{ email: 'nonsense' }, { 'copies.email': 'is not an email address' }],
    [[{ email: 'a@b' }, { email: 'nonsense' }], { 'copies[1].email': 'is not an email address' }],
    [[{}, 'a@b'], { 'copies[0].email': 'is required', 'copies[1]': 'must be an object' }],
    [[{ email: 'a@b' }, { email: 'a@b' }, { email: 'a@b' }], { copies: 'must have at most 2 items' }],
    ['a@b', { copies: 'must be an object or an array' }],
    [null, { copies: 'must be an object or an array' }],
  ])('hears about the branch of "one or a list" that was meant: %j', async (copies, complaint) => {
    expect(await complaints({ ...goodLetter, copies })).toEqual(complaint);
  });

  it('must be an object', async () => {
    expect(await complaints([])).toEqual({ body: 'must be an object' });
  });

  it('is required where the route has one', async () => {
    const response = await app.inject({ method: 'POST', url: '/api/v1/letters', headers: asFull });
    expect(response.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'body' }] });
  });

  it('with a single problem has it in the message too', async () => {
    const response = await post({ ...goodLetter, htm: '' });
    expect(response.json().error.message).toBe('htm: unknown field `htm`, did you mean `html`?');
  });

  it('with thousands of problems is answered with the first fifty', async () => {
    const response = await post({ ...goodLetter, to: Array.from({ length: 5000 }, () => ({ email: 1 })) });
    const { error } = response.json<ErrorEnvelope>();
    expect(error.details).toHaveLength(50);
    expect(error.message).toMatch(/has 1\d{3} problems; details lists the first 50/);
  });

  it('full of wrong items is refused in bounded time and memory', async () => {
    const before = process.memoryUsage().heapUsed;
    const payload = `{"to":[${'1,'.repeat(4_000_000)}1]}`;
    const response = await app.inject({
      method: 'POST',
      url: '/v1/letters',
      headers: { ...asFull, 'content-type': 'application/json' },
      payload,
    });
    expect(response.statusCode).toBe(400);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(400 * 1024 * 1024);
  });

  it('with a hundred thousand unknown fields is refused with bounded details', async () => {
    const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, i]));
    expect(Object.keys(await complaints(body)).length).toBeLessThanOrEqual(50);
  });

  it('never has an overlong name repeated in full', async () => {
    const response = await post({ ...goodLetter, ['x'.repeat(100_000)]: 1 });
    expect(response.body.length).toBeLessThan(1000);
  });

  it('is refused where the route accepts none, unless it is empty', async () => {
    const send = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/letters/letter_1/cancel',
        headers: { ...asFull, 'content-type': 'application/json' },
        payload,
      });
    expect((await send('{"reason":"x"}')).json().error.details[0].field).toBe('reason');
    expect((await send('{}')).statusCode).toBe(200);
    expect((await send('')).statusCode).toBe(200);
  });
});

describe('a query', () => {
  it('has defaults', async () => {
    const response = await app.inject({ url: '/api/v1/letters', headers: asFull });
    expect(response.json()).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total_count: 41, total_pages: 3 },
    });
  });

  it('has numbers and booleans parsed from text', async () => {
    const response = await app.inject({
      url: '/api/v1/letters?page=2&limit=100&is_active=false&tag=a',
      headers: asFull,
    });
    expect(response.json().pagination).toMatchObject({ page: 2, limit: 100 });
  });

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=',
    'page=1.5',
    'page=1e1',
    'page=0x1',
    'page=%201',
    'page=99999999999999999999',
    'limit=0',
    'limit=101',
    'page=1&page=2',
    'is_active=yes',
    'is_active=1',
  ])('refuses %s', async (query) => {
    expect(Object.keys(await queryComplaints(query))).toEqual([query.split('=')[0]]);
  });

  it('refuses unknown parameters with the nearest known one', async () => {
    expect(await queryComplaints('pag=2')).toEqual({ pag: 'unknown parameter `pag`, did you mean `page`?' });
  });

  it('refuses parameters on routes without any', async () => {
    const response = await app.inject({ url: '/api/v1/letters/letter_1?x=1', headers: asFull });
    expect(response.json().error.details).toEqual([{ field: 'x', message: 'unknown parameter `x`' }]);
  });

  it('refuses NUL characters', async () => {
    expect(await queryComplaints('tag=a%00b')).toHaveProperty('tag');
  });
});

describe('a path parameter', () => {
  it.each(['nonsense', 'letter_%00', `letter_${'x'.repeat(500)}`, '%zz', '%'])(
    '%s is not found',
    async (id) => {
      const response = await app.inject({ url: `/api/v1/letters/${id}`, headers: asFull });
      expect(response.statusCode).toBe(404);
      expect(response.json().error.code).toBe('NOT_FOUND');
      expect(response.headers).toHaveProperty('x-ratelimit-limit');
      expect(response.headers).toHaveProperty('x-request-id');
    },
  );
});

describe('a response', () => {
  it('contains only what its schema names, dates in ISO form', async () => {
    const response = await app.inject({ url: '/api/v1/letters/letter_1', headers: asFull });
    expect(response.json().data).toEqual({
      id: 'letter_1',
      subject: 'org_1',
      priority: 'low',
      sent_at: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('a route', () => {
  const register = async (schema: Record<string, unknown>, more: Partial<AppOptions> = {}) => {
    const broken = exampleApp({
      ...more,
      routes: [
        async (api) => {
          api.post('/x', { schema: { tags: ['x'], summary: 'x', ...schema } }, async () => ({}));
        },
      ],
    });
    await broken.ready();
  };

  it('cannot be registered with a body object that ignores unknown fields', async () => {
    await expect(register({ body: Type.Object({ a: Type.String() }) })).rejects.toThrow(
      /additionalProperties/,
    );
    const nested = strictObject({ a: Type.Array(Type.Object({ b: Type.String() })) });
    await expect(register({ body: nested })).rejects.toThrow(
      /POST \/api\/v1\/x body\.a\[\]: an object must say/,
    );
    const loose = strictObject({ a: Type.Record(Type.String(), Type.String()) });
    await expect(register({ body: loose })).rejects.toThrow(/additionalProperties/);
  });

  it('cannot be registered with a query that ignores unknown parameters', async () => {
    await expect(register({ querystring: Type.Object({}) })).rejects.toThrow(
      /querystring: an object must say/,
    );
  });

  it('cannot be registered with uniqueItems', async () => {
    const body = strictObject({ a: Type.Array(Type.String(), { uniqueItems: true }) });
    await expect(register({ body })).rejects.toThrow(/uniqueItems/);
  });

  it('fails at the start when all schemas are compiled and one is invalid', async () => {
    const body = strictObject({ a: Type.String({ maxLenght: 5 }) });
    await expect(register({ body }, { compileSchemasAtStart: true })).rejects.toThrow(/maxLenght/);
  });

  it('cannot be registered without a tag in the reference', async () => {
    await expect(register({ tags: [] })).rejects.toThrow(/schema\.tags and schema\.summary/);
  });
});
