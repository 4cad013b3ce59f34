/**
 * `/t/ask?domain=…`: whether a proxy may get a certificate for a host (the `ask` of Caddy's on-demand TLS). Yes for tracking hosts
 * that DNS leads from to us, no for everything else, and not a word more: 200 or 404, without a body.
 */
import type { FastifyPluginAsync } from 'fastify';

export const ASK_PATH = '/t/ask';

interface AskRoute {
  Querystring: { readonly domain?: unknown };
}

export function askRoutes(pointsHere: (host: string) => Promise<boolean>): FastifyPluginAsync {
  return async (app) => {
    app.get<AskRoute>(ASK_PATH, async ({ query }, reply) => {
      const isOne = typeof query.domain === 'string' && (await pointsHere(query.domain));
      return reply
        .code(isOne ? 200 : 404)
        .header('Cache-Control', 'no-store')
        .send();
    });
  };
}
