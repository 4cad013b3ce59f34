/**
 * Serves a built single-page application from memory. Files are read once at startup and looked up by exact
 * path, so no path can leave the folder and no request reads a file.
 *
 * Unknown paths get index.html when a page is requested, because the application has its own routes. Files
 * under /assets/ have a content hash in their name and are cached permanently; browsers revalidate everything
 * else, mostly with a 304.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding, type Coding } from './content-coding.ts';
import { ApiError } from './errors.ts';
import { lazily } from './lazily.ts';

interface StaticFile {
  readonly type: string;
  readonly policy: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly immutable: boolean;
  /** The plain bytes, and a gzip version where that is smaller. */
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  /** Compressed on first use: compressing all files would slow down the start. */
  readonly gzip: () => { readonly bytes: Buffer | undefined };
}

/** By path: `/assets/index-4f3a.js`. */
type StaticFiles = ReadonlyMap<string, StaticFile>;

const INDEX = '/index.html';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
/** Fonts and pictures are already compressed. */
const COMPRESSIBLE = /\.(html|js|css|json|webmanifest|txt|md|svg)$/;
const LEAST_COMPRESSED = 1024;

/** Allows scripts and styles from this host only, no inline code, and no other hosts. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The policies of the empty pages that display mail. The mail may be styled but cannot run code. The second
 * page also loads images, for a user who requested them, and sends no referrer.
 */
const FRAMES: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ['/frame.html', framePolicy('data: blob:')],
  ['/frame-images.html', { ...framePolicy('data: blob: https: http:'), 'Referrer-Policy': 'no-referrer' }],
]);

function framePolicy(images: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ');
  return { 'Content-Security-Policy': policy, 'X-Frame-Options': 'SAMEORIGIN' };
}

/** Null when nothing was built in the folder. */
export function loadStaticFiles(folder: string): StaticFiles | null {
  if (!existsSync(join(folder, INDEX))) return null;
  const listed = listStaticFiles(folder);
  return new Map(
    listed.map(({ name, path }) => {
      const policy = FRAMES.get(name) ?? { 'Content-Security-Policy': PAGE_POLICY };
      return [name, readStaticFile(path, name, policy)];
    }),
  );
}

/** Every servable file: its name on the site (`/assets/index-4f3a.js`) and its path on disk. */
function listStaticFiles(folder: string): { readonly name: string; readonly path: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: `/${relative(folder, path).replaceAll('\\', '/')}`, path };
    });
}

function readStaticFile(path: string, name: string, policy: StaticFile['policy']): StaticFile {
  const plain = readFileSync(path);
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    policy,
    plain,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
    immutable: name.startsWith('/assets/'),
    br: existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined,
    gzip: lazily(() => ({ bytes: gzipped(path, plain) })),
  };
}

function gzipped(path: string, plain: Buffer): Buffer | undefined {
  if (plain.length < LEAST_COMPRESSED || !COMPRESSIBLE.test(path)) return undefined;
  const smaller = gzipSync(plain);
  return smaller.length < plain.length ? smaller : undefined;
}

export function serveStaticFiles(app: FastifyInstance, files: StaticFiles): void {
  app.get('/*', async (request, reply) => {
    const file = fileFor(files, request);
    if (!file) throw new ApiError('NOT_FOUND');
    return sendStaticFile(file, request, reply);
  });
}

function fileFor(files: StaticFiles, { url, headers }: FastifyRequest): StaticFile | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const file = files.get(path === '/' ? INDEX : path);
  if (file) return file;
  // A misspelled API path or a missing script must not be answered with a page.
  const isPage = !/^\/(api|v1)(\/|$)/.test(path) && !/\.\w+$/.test(path) && !path.startsWith('/assets/');
  return isPage && wantsHtml(headers.accept) ? files.get(INDEX) : undefined;
}

function wantsHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false;
}

export function sendStaticFile(file: StaticFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .type(file.type)
    .header('ETag', file.etag)
    .header('Vary', 'Accept-Encoding')
    .header('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    .headers(file.policy);
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send();
  const { encoding, body } = encodedFor(file, request.headers['accept-encoding']?.toString());
  if (encoding !== undefined) reply.header('Content-Encoding', encoding);
  return reply.send(body);
}

function encodedFor(file: StaticFile, accepted: string | undefined): { encoding?: Coding; body: Buffer } {
  const { coding } = acceptedCoding(accepted, file.br ? ['br', 'gzip'] : ['gzip']);
  if (coding === 'br' && file.br) return { encoding: coding, body: file.br };
  const gzip = coding === null ? undefined : file.gzip().bytes;
  return gzip ? { encoding: 'gzip', body: gzip } : { body: file.plain };
}

/**
 * Serves built pages below a path. Files are listed at startup and looked up by exact path, so no path can
 * leave the folder. A file is read and compressed on first use: reading hundreds of pages would slow down the
 * start.
 *
 * `api/sending.html` is served as `api/sending`, and `api/index.html` as `api/`. Addresses of pages that have moved
 * redirect to the new page: `moved.json` in the folder lists them.
 */

/** By name in the folder: `/api/sending.html`. */
type StaticSite = ReadonlyMap<string, () => StaticFile>;

const NOT_FOUND_PAGE = '/404.html';
/** New paths of pages by their old ones, without endings: `{"api/sending": "send/emails"}`. */
const MOVED_PAGES = '/moved.json';

/** Allows scripts and styles from this host only, no inline code, and no other hosts. */
const POLICY = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** Null when nothing was built in the folder. */
export function openStaticSite(folder: string): StaticSite | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  return new Map(
    listStaticFiles(folder).map(({ name, path }) => [name, lazily(() => readStaticFile(path, name, POLICY))]),
  );
}

/** `base` is the path of the site: `/docs`. */
export function serveStaticSite(app: FastifyInstance, base: string, site: StaticSite): void {
  const movedPages = lazily(() => readMovedPages(site));
  app.get(base, async (_request, reply) => reply.redirect(`${base}/`, 308));
  app.get(`${base}/*`, async (request, reply) => {
    const path = (request.url.split('?', 1)[0] ?? '').slice(base.length);
    const name = fileOf(path);
    const file = name === NOT_FOUND_PAGE ? undefined : site.get(name);
    if (file) return sendStaticFile(file(), request, reply);
    const known = knownAs(site, path) ?? movedTo(movedPages(), path);
    return known === null ? sayNotFound(site, request, reply) : reply.redirect(base + known, 308);
  });
}

function fileOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`;
  return /\.(?!html$)\w+$/.test(path) ? path : `${path}.html`;
}

/** The canonical path of a page requested by its file name, or without the slash of its folder. */
function knownAs(site: StaticSite, path: string): string | null {
  const page = path.replace(/\.html$/, '');
  if (page !== path && path !== NOT_FOUND_PAGE && site.has(path)) return page.replace(/\/index$/, '/');
  return site.has(`${path}/index.html`) ? `${path}/` : null;
}

function readMovedPages(site: StaticSite): ReadonlyMap<string, string> {
  const file = site.get(MOVED_PAGES);
  return new Map(Object.entries(file ? JSON.parse(file().plain.toString()) : {}));
}

/** The current path of a page that has moved; its Markdown moves with it. */
function movedTo(moved: ReadonlyMap<string, string>, path: string): string | null {
  const [, name = '', ending] = /^\/(.*?)(\.html|\.md)?$/.exec(path) ?? [];
  const page = moved.get(name.replace(/\/$/, '/index')) ?? moved.get(`${name}/index`);
  if (page === undefined) return null;
  return ending === '.md' ? `/${page}.md` : `/${page.replace(/\/index$/, '/')}`;
}

function sayNotFound(site: StaticSite, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = site.get(NOT_FOUND_PAGE);
  if (!page || !wantsHtml(request.headers.accept)) throw new ApiError('NOT_FOUND');
  const { type, plain } = page();
  return reply.code(404).type(type).header('Cache-Control', 'no-cache').headers(POLICY).send(plain);
}
