/** The MTA-STS policy of the inbound host, served only under the name from which senders fetch it (RFC 8461). */
import type { FastifyPluginAsync } from 'fastify';
import { ApiError } from '../http/errors.ts';
import { requestedHost } from '../http/link-hosts.ts';
import { STS_PATH } from '../protocols/dns/own-sts-policy.ts';

export function stsRoutes(host: string, policy: string): FastifyPluginAsync {
  return async (app) => {
    app.get(STS_PATH, async (request, reply) => {
      if (requestedHost(request) !== host) throw new ApiError('NOT_FOUND');
      return reply.type('text/plain; charset=utf-8').header('Cache-Control', 'no-store').send(policy);
    });
  };
}
