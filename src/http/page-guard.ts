/**
 * What is asked for outside of the API: pages, links in mail, and paths that there are not. Each address has so many
 * requests a minute, and an unknown path is answered before its body is read: a stranger must not make the server read
 * and parse 20 MiB for a 404.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from './errors.ts';
import { answerWrongMethod, type KnownPaths } from './known-paths.ts';
import type { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';

export interface PageGuardOptions {
  readonly strangers: UnauthenticatedQuotas;
  readonly paths: KnownPaths;
  /** Prefixes below which requests are counted for who makes them. */
  readonly apis: readonly string[];
}

/** Load balancers and monitors ask without end, and are answered from memory or share one check. */
const UNCOUNTED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** The last of the hooks that come first: what refuses a request for its own sake, or begins to measure it, is before it. */
export function guardPages(app: FastifyInstance, { strangers, paths, apis }: PageGuardOptions): void {
  const isOfApi = (path: string) => apis.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] as string;
    if (!isOfApi(path) && !UNCOUNTED.has(path)) strangers.take(request.ip, 'pages');
    if (!request.is404) done();
    else if (!answerWrongMethod(request, reply, paths)) done(new ApiError('NOT_FOUND'));
  });
}
