/** What a browser gets at the root: the dashboard where it was built, otherwise a way to the reference. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { loadSite, registerSite } from '../kit/http/site.ts';

/** The same distance from `src/processes` and from `dist/processes`. */
const DASHBOARD = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

export function frontDoor(folder: string = DASHBOARD) {
  const site = loadSite(folder);
  return async (app: FastifyInstance): Promise<void> => {
    if (site) registerSite(app, site);
    else app.get('/', async (_request, reply) => reply.redirect('/docs'));
  };
}
