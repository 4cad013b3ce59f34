/**
 * Serves the documentation if it was built: its pages below /docs, and their index for programs. Without it,
 * the OpenAPI document describes the API.
 */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import {
  loadStaticFiles,
  openStaticSite,
  sendStaticFile,
  serveStaticFiles,
  serveStaticSite,
} from '../http/static-files.ts';

const BASE = '/docs';
const LIST = '/llms.txt';
/** The same relative path from `src/processes` and `dist/processes`. */
const SITE = fileURLToPath(new URL('../../docs-site/dist', import.meta.url));

export function serveDocs() {
  const site = openStaticSite(SITE);
  return async (app: FastifyInstance): Promise<void> => {
    const list = site?.get(LIST);
    if (site) serveStaticSite(app, BASE, site);
    else app.get(BASE, async (_request, reply) => reply.redirect('/openapi.json'));
    if (list) app.get(LIST, async (request, reply) => sendStaticFile(list(), request, reply));
  };
}

/** The same relative path from `src/processes` and `dist/processes`. */
const DASHBOARD = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

/** Serves the dashboard at the root if it was built, or else redirects to the documentation. */
export function serveDashboard(folder: string = DASHBOARD) {
  const files = loadStaticFiles(folder);
  return async (app: FastifyInstance): Promise<void> => {
    if (files) serveStaticFiles(app, files);
    else app.get('/', async (_request, reply) => reply.redirect('/docs'));
  };
}
