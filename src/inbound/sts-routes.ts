/** The MTA-STS policy of the inbound host, under the name that senders fetch it from (RFC 8461) and no other. */
import type { FastifyPluginAsync } from 'fastify';
import { STS_PATH } from '../kit/dns/own-sts-policy.ts';
import { ApiError } from '../kit/http/errors.ts';
import { requestedHost } from '../kit/http/link-hosts.ts';

export function stsRoutes(host: string, policy: string): FastifyPluginAsync {
  return async (app) => {
    app.get(STS_PATH, async (request, reply) => {
      if (requestedHost(request) !== host) throw new ApiError('NOT_FOUND');
      return reply.type('text/plain; charset=utf-8').header('Cache-Control', 'no-store').send(policy);
    });
  };
}
