/** Serves the dashboard at the root if it was built, or else redirects to the documentation. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { loadStaticFiles, serveStaticFiles } from '../http/static-files.ts';

/** The same relative path from `src/processes` and `dist/processes`. */
const DASHBOARD = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

export function serveDashboard(folder: string = DASHBOARD) {
  const files = loadStaticFiles(folder);
  return async (app: FastifyInstance): Promise<void> => {
    if (files) serveStaticFiles(app, files);
    else app.get('/', async (_request, reply) => reply.redirect('/docs'));
  };
}
