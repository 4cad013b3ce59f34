/** What a browser gets at the root: the dashboard if it was built, otherwise a redirect to the documentation. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { loadStaticFiles, serveStaticFiles } from '../http/static-files.ts';

/** The same distance from `src/processes` and from `dist/processes`. */
const DASHBOARD = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

export function serveDashboard(folder: string = DASHBOARD) {
  const files = loadStaticFiles(folder);
  return async (app: FastifyInstance): Promise<void> => {
    if (files) serveStaticFiles(app, files);
    else app.get('/', async (_request, reply) => reply.redirect('/docs'));
  };
}
