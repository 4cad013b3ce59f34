/**
 * HTTP-01 (RFC 8555 section 8.3) under every host name. The responses are in the database, so any process can
 * answer the authority.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Sql } from '../database/sql.ts';
import { ApiError } from '../http/errors.ts';
import { TOKEN } from './acme-messages.ts';
import { findKeyAuthorization } from './challenge-store.ts';

export const CHALLENGE_PATH = '/.well-known/acme-challenge/';

/** Null when the challenge does not exist. Throws an ApiError when the address has requested too many. */
export type AnswerChallenge = (token: string, address: string | undefined) => Promise<string | null>;

export function createAnswerChallenge(
  db: Sql,
  count: (address: string | undefined) => void,
): AnswerChallenge {
  return async (token, address) => {
    if (!TOKEN.test(token)) return null;
    count(address);
    return findKeyAuthorization(db, token);
  };
}

export function challengeRoutes(answer: AnswerChallenge): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { token: string } }>(`${CHALLENGE_PATH}:token`, async ({ params, ip }, reply) => {
      const found = await answer(params.token, ip);
      if (found === null) throw new ApiError('NOT_FOUND');
      return reply.type('application/octet-stream').header('Cache-Control', 'no-store').send(found);
    });
  };
}
