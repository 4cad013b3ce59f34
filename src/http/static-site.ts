/**
 * Serves built pages below a path. Files are listed at startup and looked up by exact path, so no path can
 * leave the folder. A file is read and compressed on first use: reading hundreds of pages would slow down the
 * start.
 *
 * `api/sending.html` is served as `api/sending`, and `api/index.html` as `api/`. Addresses of pages that have moved
 * redirect to the new page: `moved.json` in the folder lists them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import { lazily } from './lazily.ts';
import {
  listStaticFiles,
  readStaticFile,
  type StaticFile,
  sendStaticFile,
  wantsHtml,
} from './static-files.ts';

/** By name in the folder: `/api/sending.html`. */
export type StaticSite = ReadonlyMap<string, () => StaticFile>;

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
