/** The dashboard's files, and that nothing else is served. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleApp } from '../../test/support/http-example.ts';
import { rawRequest } from '../../test/support/raw-request.ts';
import { loadStaticFiles, serveStaticFiles } from './static-files.ts';

const SCRIPT = `console.log(${'1 + '.repeat(1000)} 1);`;
let root: string;
let app: FastifyInstance;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'postrider-files-'));
  mkdirSync(join(root, 'dist', 'assets'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  write('secret.txt', 'SECRET outside');
  write('dist/index.html', '<!doctype html><title>The dashboard</title>');
  write('dist/favicon.svg', '<svg/>');
  write('dist/frame.html', '<!doctype html><title>Message</title>');
  write('dist/.env', 'SECRET hidden');
  write('dist/assets/app-4f3a.js', SCRIPT);
  write('dist/assets/app-4f3a.js.br', 'as brotli');
  write('dist/assets/other-11aa.js', SCRIPT);
  write('dist/assets/app-4f3a.js.map', 'SECRET map');
  const files = loadStaticFiles(join(root, 'dist'));
  if (!files) throw new Error('no files');
  app = exampleApp({ rootRoutes: [async (scope) => serveStaticFiles(scope, files)] });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('pages', () => {
  it.each(['/', '/emails', '/settings/api-keys', '/invite/abc_DEF-123', '/emails?status=failed'])(
    'are the one page there is: %s',
    async (url) => {
      const response = await app.inject({ url, headers: page });
      expect(response.statusCode).toBe(200);
      expect(response.body).toContain('The dashboard');
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-frame-options': 'DENY',
      });
    },
  );

  it('run scripts from this host only, and none inline', async () => {
    const { headers } = await app.inject({ url: '/', headers: page });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
  });

  it('show mail in a frame that cannot run code or be framed by other sites', async () => {
    const { headers } = await app.inject({ url: '/frame.html', headers: page });
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin",
    );
  });

  it.each(['/api', '/api/', '/api/v2/emails', '/v1', '/assets/gone-0000.js', '/logo.png', '/robots.txt'])(
    'are not served in place of missing files: %s',
    async (url) => {
      const response = await app.inject({ url, headers: page });
      expect(response.statusCode).toBe(404);
      expect(response.json().error.code).toBe('NOT_FOUND');
    },
  );

  it('are for requests that accept HTML', async () => {
    expect((await app.inject({ url: '/emails', headers: { accept: 'application/json' } })).statusCode).toBe(
      404,
    );
    expect((await app.inject({ method: 'POST', url: '/emails', headers: page })).statusCode).toBe(404);
    const head = await app.inject({ method: 'HEAD', url: '/emails', headers: page });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it('leave the rest of the server unchanged', async () => {
    expect((await app.inject({ url: '/openapi.json', headers: page })).json()).toHaveProperty('paths');
    expect((await app.inject({ url: '/healthz', headers: page })).json()).toEqual({ status: 'ok' });
    expect((await app.inject({ url: '/api/v1/letters', headers: page })).statusCode).toBe(401);
  });
});

describe('files', () => {
  it('with a hash in their name are cached permanently', async () => {
    const response = await app.inject({ url: '/assets/app-4f3a.js' });
    expect(response.body).toBe(SCRIPT);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  it('are not sent again when the browser has them cached', async () => {
    const first = await app.inject({ url: '/', headers: page });
    const again = await app.inject({
      url: '/',
      headers: { ...page, 'if-none-match': String(first.headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('are sent in the encoding that the browser prefers', async () => {
    const ask = (url: string, encoding: string) =>
      app.inject({ url, headers: { 'accept-encoding': encoding } });
    const brotli = await ask('/assets/app-4f3a.js', 'gzip, deflate, br');
    expect([brotli.headers['content-encoding'], brotli.body]).toEqual(['br', 'as brotli']);
    expect(brotli.headers.vary).toBe('Accept-Encoding');
    const gzip = await ask('/assets/other-11aa.js', 'gzip, br');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(SCRIPT);
    expect((await ask('/assets/app-4f3a.js', 'br;q=0, gzip;q=0')).body).toBe(SCRIPT);
    expect((await ask('/favicon.svg', 'gzip')).headers['content-encoding']).toBeUndefined();
  });
});

describe('other files', () => {
  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets//../../secret.txt',
    '/..;/secret.txt',
    '//secret.txt',
    '/assets/%00/../../../secret.txt',
    '/etc/passwd',
    '/.env',
    '/assets/app-4f3a.js.map',
    '/assets/app-4f3a.js.br',
    '/assets',
    '/%ff',
    '/package.json',
  ])('is served: %s', async (path) => {
    // Sent raw, because clients would normalize the path.
    const answer = await rawRequest(
      app,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).not.toContain('SECRET');
    expect(answer).not.toContain('root:');
  });

  it('serves nothing when nothing was built', () => {
    expect(loadStaticFiles(join(root, 'nothing'))).toBeNull();
    expect(loadStaticFiles(root)).toBeNull();
  });
});
