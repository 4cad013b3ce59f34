/**
 * Limits requests outside of the API: pages, links in mail, and unknown paths. Each address may make a fixed
 * number per minute, and an unknown path is answered before its body is read: an unauthenticated client must
 * not make the server parse 20 MiB for a 404.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from './errors.ts';
import { answerWrongMethod, type KnownPaths } from './known-paths.ts';
import type { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';

interface PageGuardOptions {
  readonly unauthenticatedQuotas: UnauthenticatedQuotas;
  readonly paths: KnownPaths;
  /** Prefixes whose requests are counted per caller instead. */
  readonly apis: readonly string[];
}

/** Load balancers and monitors poll these; the answers come from memory or share one check. */
const UNCOUNTED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Must be the last of the early hooks: hooks that refuse a request or start its measurement run before it.
 */
export function guardPages(
  app: FastifyInstance,
  { unauthenticatedQuotas, paths, apis }: PageGuardOptions,
): void {
  const isOfApi = (path: string) => apis.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] as string;
    if (!isOfApi(path) && !UNCOUNTED.has(path)) unauthenticatedQuotas.take(request.ip, 'pages');
    if (!request.is404) done();
    else if (!answerWrongMethod(request, reply, paths)) done(new ApiError('NOT_FOUND'));
  });
}
