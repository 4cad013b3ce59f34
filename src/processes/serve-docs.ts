/**
 * The documentation, if it was built: its pages below /docs, and the list of them where programs look for it. What can be said of
 * the API without it is in its OpenAPI document.
 */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { sendStaticFile } from '../http/static-files.ts';
import { openStaticSite, serveStaticSite } from '../http/static-site.ts';

const BASE = '/docs';
const LIST = '/llms.txt';
/** The same distance from `src/processes` and from `dist/processes`. */
const SITE = fileURLToPath(new URL('../../docs-site/dist', import.meta.url));

export function serveDocs(folder: string = SITE) {
  const site = openStaticSite(folder);
  return async (app: FastifyInstance): Promise<void> => {
    const list = site?.get(LIST);
    if (site) serveStaticSite(app, BASE, site);
    else app.get(BASE, async (_request, reply) => reply.redirect('/openapi.json'));
    if (list) app.get(LIST, async (request, reply) => sendStaticFile(list(), request, reply));
  };
}
