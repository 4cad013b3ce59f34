/**
 * Requires exactly one Host header (RFC 9112, section 3.2). Of two, a proxy in front may have read the other
 * one, so neither is accepted. This check replaces Node's own, which answers without our envelope.
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
  // The sender may also disagree with us on where the next request begins.
  reply.header('Connection', 'close');
  return new ApiError('VALIDATION_ERROR', [], problem);
}
