/** The documentation's pages at their addresses, and that nothing else is served. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleApp } from '../../test/support/http-example.ts';
import { rawRequest } from '../../test/support/raw-request.ts';
import { openStaticSite, serveStaticSite } from './static-files.ts';

const LONG = `<!doctype html><title>Sending</title>${'<p>words</p>'.repeat(200)}`;
const page = { accept: 'text/html' };
let root: string;
let app: FastifyInstance;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'postrider-site-'));
  for (const folder of ['api', 'assets']) mkdirSync(join(root, 'dist', folder), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  write('secret.txt', 'SECRET outside');
  write('dist/.built-from', 'SECRET stamp');
  write('dist/index.html', '<!doctype html><title>First page</title>');
  write('dist/404.html', '<!doctype html><title>Not found</title>');
  write('dist/llms.txt', '# Postrider');
  write('dist/api/index.html', '<!doctype html><title>Using the API</title>');
  write('dist/api/sending.html', LONG);
  write('dist/api/sending.md', '# Sending');
  write('dist/moved.json', '{"guides/sending": "api/sending", "guides/index": "api/index"}');
  write('dist/assets/site-4f3a.js', 'export {}');
  const site = openStaticSite(join(root, 'dist'));
  if (!site) throw new Error('no site');
  app = exampleApp({ rootRoutes: [async (scope) => serveStaticSite(scope, '/docs', site)] });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

describe('a page', () => {
  it.each([
    ['/docs/', 'First page'],
    ['/docs/?from=mail', 'First page'],
    ['/docs/api/', 'Using the API'],
    ['/docs/api/sending', 'Sending'],
  ])('is at its address: %s', async (url, title) => {
    const response = await app.inject({ url, headers: page });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain(`<title>${title}</title>`);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['/docs', '/docs/'],
    ['/docs/api', '/docs/api/'],
    ['/docs/index.html', '/docs/'],
    ['/docs/api/index.html', '/docs/api/'],
    ['/docs/api/sending.html', '/docs/api/sending'],
  ])('has one address: %s leads there', async (url, address) => {
    const { statusCode, headers } = await app.inject({ url, headers: page });
    expect([statusCode, headers.location]).toEqual([308, address]);
  });

  it('is also served as Markdown', async () => {
    const { body, headers } = await app.inject('/docs/api/sending.md');
    expect([body, headers['content-type']]).toEqual(['# Sending', 'text/markdown; charset=utf-8']);
  });

  it('runs scripts from this host only, and none inline', async () => {
    const { headers } = await app.inject({ url: '/docs/', headers: page });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('is compressed, and not sent again to a browser that has it cached', async () => {
    const url = '/docs/api/sending';
    const first = await app.inject({ url, headers: { ...page, 'accept-encoding': 'gzip' } });
    expect(first.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(first.rawPayload).toString()).toBe(LONG);
    const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('caches files with a hash in their name permanently', async () => {
    const { headers } = await app.inject('/docs/assets/site-4f3a.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });
});

describe('a page that has moved', () => {
  it.each([
    ['/docs/guides/sending', '/docs/api/sending'],
    ['/docs/guides/sending?from=mail', '/docs/api/sending'],
    ['/docs/guides/sending.html', '/docs/api/sending'],
    ['/docs/guides/sending.md', '/docs/api/sending.md'],
    ['/docs/guides/', '/docs/api/'],
    ['/docs/guides', '/docs/api/'],
    ['/docs/guides/index.html', '/docs/api/'],
    ['/docs/guides/index.md', '/docs/api/index.md'],
  ])('redirects from its old address: %s', async (url, address) => {
    const { statusCode, headers } = await app.inject({ url, headers: page });
    expect([statusCode, headers.location]).toEqual([308, address]);
  });
});

describe('a missing page', () => {
  it.each(['/docs/nowhere', '/docs/api/nowhere', '/docs/nowhere/', '/docs/404', '/docs/404.html'])(
    'answers with a page that says so: %s',
    async (url) => {
      const response = await app.inject({ url, headers: page });
      expect(response.statusCode).toBe(404);
      expect(response.body).toContain('<title>Not found</title>');
      expect(response.headers['content-security-policy']).toContain("script-src 'self'");
    },
  );

  it('is an API error for programs', async () => {
    const response = await app.inject('/docs/nowhere.md');
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    '/docs/../secret.txt',
    '/docs/api/../../secret.txt',
    '/docs/..%2fsecret.txt',
    '/docs/%2e%2e/secret.txt',
    '/docs/..%5csecret.txt',
    '/docs//../secret.txt',
    '/docs/%00/../../secret.txt',
    '/docs/.built-from',
    '/docs/%ff',
    '/docs/etc/passwd',
  ])('is not served from elsewhere: %s', async (path) => {
    // Sent raw, because clients would normalize the path.
    const answer = await rawRequest(
      app,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).not.toContain('SECRET');
  });

  it('serves nothing when nothing was built', () => {
    expect(openStaticSite(join(root, 'nothing'))).toBeNull();
    expect(openStaticSite(root)).toBeNull();
  });
});
