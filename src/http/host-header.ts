/**
 * A request names the host it is for once (RFC 9112, section 3.2). Of two names a proxy in front may have looked at the
 * other, so neither is taken. Node's own check of this answers without our envelope; it is switched off for this one.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const problem = hostProblem(request);
    done(problem === undefined ? undefined : refusal(problem, reply));
  });
}

function hostProblem({ raw }: FastifyRequest): string | undefined {
  let count = 0;
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const name = raw.rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return 'The request has more than one Host header.';
  return count === 0 && raw.httpVersion === '1.1' ? 'The request has no Host header.' : undefined;
}

function refusal(problem: string, reply: FastifyReply): ApiError {
  // Whoever sent it and we may not agree on where the next request begins either.
  reply.header('Connection', 'close');
  return new ApiError('VALIDATION_ERROR', [], problem);
}
