/** Reports each answered request with its organization and whether it was refused. */
import type { FastifyInstance } from 'fastify';
import { principalIfAny } from './authenticate.ts';

export type OnAnswered = (organizationId: string, keyId: string, isRefused: boolean) => void;

export function reportAnsweredRequests(app: FastifyInstance, onAnswered: OnAnswered | undefined): void {
  if (onAnswered === undefined) return;
  app.addHook('onResponse', (request, reply, done) => {
    const principal = principalIfAny(request);
    if (principal !== undefined && principal.keyId !== null)
      onAnswered(principal.organizationId, principal.keyId, reply.statusCode >= 400);
    done();
  });
}
