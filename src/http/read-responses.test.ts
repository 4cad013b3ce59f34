/** Compression and ETags of responses that read. */
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { asFull, exampleApp, FULL_KEY, letterRoutes } from '../../test/support/http-example.ts';
import type { ApiRoutes } from './api-routes.ts';
import { strictObject } from './schema.ts';

const LONG = 'Thank you. '.repeat(1_000);

let app: FastifyInstance;
let text: string;

const textRoutes: ApiRoutes = async (routes) => {
  const schema = { tags: ['Texts'], summary: 'Text' };
  routes.get('/text', { schema }, async () => ({ data: text }));
  routes.get('/secret', { config: { confidential: true }, schema }, async () => ({ data: text }));
  routes.get('/picture', { schema }, async (_request, reply) =>
    reply.type('image/png').send(Buffer.from(text)),
  );
  routes.get('/packed', { schema }, async (_request, reply) =>
    reply.type('text/plain').header('content-encoding', 'zstd').send(Buffer.from(text)),
  );
  routes.get('/flow', { schema }, async (_request, reply) =>
    reply.type('text/csv').send(Readable.from([text], { objectMode: false })),
  );
  const body = strictObject({});
  routes.post('/preview', { config: { reads: true }, schema: { ...schema, body } }, async () => ({
    data: text,
  }));
  routes.post('/change', { schema: { ...schema, body } }, async () => ({ data: text }));
};

beforeEach(() => {
  text = LONG;
  app = exampleApp({ routes: [letterRoutes, textRoutes] });
});

function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  return app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { ...asFull, ...headers },
    ...(method === 'POST' ? { payload: {} } : {}),
  });
}

const JSON_OF_LONG = JSON.stringify({ data: LONG });

describe('a long response', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed as the client accepts it: %s', async (coding, decompress) => {
    const { headers, rawPayload } = await get('/text', { 'accept-encoding': coding });
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
    expect(Number(headers['content-length'])).toBe(rawPayload.length);
    expect(rawPayload.length).toBeLessThan(500);
    expect(decompress(rawPayload).toString()).toBe(JSON_OF_LONG);
  });

  it.each(['', 'zstd', 'br;q=0, gzip;q=0', 'identity, br;q=0.5'])(
    'is sent as it is to a client that accepts %j',
    async (accepted) => {
      const { headers, payload } = await get('/text', { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers.vary).toBe('Accept-Encoding');
      expect(payload).toBe(JSON_OF_LONG);
    },
  );

  it('is compressed for a request that reads with a body, too', async () => {
    const { headers } = await get('/preview', { 'accept-encoding': 'br' }, 'POST');
    expect(headers['content-encoding']).toBe('br');
    expect(headers.etag).toBeUndefined();
  });

  it('is sent as it is after a change', async () => {
    const { headers } = await get('/change', { 'accept-encoding': 'br' }, 'POST');
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
  });

  it.each(['/picture', '/flow'])('is sent as it is where it is no text or a stream: %s', async (path) => {
    const { headers, payload } = await get(path, { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(payload).toBe(LONG);
  });

  it('is not compressed twice', async () => {
    const { headers, payload } = await get('/packed', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBe('zstd');
    expect(payload).toBe(LONG);
  });

  it.each(['cross-site', 'same-site', 'none'])(
    'is not compressed where a page of another site may have asked for it: %s',
    async (site) => {
      const { headers } = await get('/text', { 'accept-encoding': 'br', 'sec-fetch-site': site });
      expect(headers['content-encoding']).toBeUndefined();
    },
  );

  it('is compressed for the dashboard', async () => {
    const { headers } = await get('/text', { 'accept-encoding': 'br', 'sec-fetch-site': 'same-origin' });
    expect(headers['content-encoding']).toBe('br');
  });

  it('of more than 512 KB is sent as it is', async () => {
    text = 'x'.repeat(600_000);
    const { headers } = await get('/text', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
  });
});

describe('a short response', () => {
  it('is not compressed', async () => {
    text = 'Thank you.';
    const { headers } = await get('/text', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('is compressed for a client that refuses plain bytes', async () => {
    text = 'Thank you.';
    const { headers, rawPayload } = await get('/text', { 'accept-encoding': 'gzip, identity;q=0' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(rawPayload).toString()).toBe('{"data":"Thank you."}');
  });
});

describe('an ETag', () => {
  async function tagOf(headers: Record<string, string> = {}): Promise<string> {
    return String((await get('/text', headers)).headers.etag);
  }

  it('is the same for every coding and every prefix, and weak', async () => {
    const tag = await tagOf();
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(await tagOf({ 'accept-encoding': 'br' })).toBe(tag);
    const other = await app.inject({ url: '/v1/text', headers: { authorization: `Bearer ${FULL_KEY}` } });
    expect(other.headers.etag).toBe(tag);
  });

  it.each(['GET', 'HEAD'] as const)(
    'that is still valid is answered with 304 and no body: %s',
    async (method) => {
      const tag = await tagOf();
      const response = await get('/text', { 'if-none-match': tag, 'accept-encoding': 'br' }, method);
      expect(response.statusCode).toBe(304);
      expect(response.payload).toBe('');
      expect(response.headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
      for (const name of ['content-length', 'content-type', 'content-encoding'])
        expect(response.headers[name]).toBeUndefined();
      expect(response.headers['x-ratelimit-limit']).toBe('100');
    },
  );

  it.each([(tag: string) => `"other", ${tag}`, (tag: string) => tag.slice(2), () => '*'])(
    'is found in any form of If-None-Match: %s',
    async (known) => {
      const response = await get('/text', { 'if-none-match': known(await tagOf()) });
      expect(response.statusCode).toBe(304);
    },
  );

  it('of changed content is answered with the content', async () => {
    const tag = await tagOf();
    text = `${LONG}!`;
    const response = await get('/text', { 'if-none-match': tag });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ data: text });
    expect(response.headers.etag).not.toBe(tag);
  });

  it('is told for HEAD as for GET', async () => {
    const [head, full] = [await get('/text', {}, 'HEAD'), await get('/text')];
    expect(head.payload).toBe('');
    expect(head.headers.etag).toBe(full.headers.etag);
    expect(head.headers['content-length']).toBe(full.headers['content-length']);
  });

  it('is on no error, and browsers store none', async () => {
    const response = await get('/letters/unknown');
    expect(response.statusCode).toBe(404);
    expect(response.headers.etag).toBeUndefined();
    expect(response.headers['cache-control']).toBe('no-store');
  });
});

it('lets browsers store no confidential response, though it has an ETag', async () => {
  const { headers } = await get('/secret');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers.etag).toBeDefined();
});
