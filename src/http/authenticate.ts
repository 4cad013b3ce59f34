/**
 * Finds the principal from the Authorization header, or else from the session cookie. Tokens are hashed at
 * once and never kept.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashToken } from '../runtime/tokens.ts';
import { ApiError } from './errors.ts';
import type { KeyCache } from './key-cache.ts';
import type { Principal } from './principal.ts';
import type { SessionGate } from './session-gate.ts';

/**
 * The principal of a request, or null when its credentials are missing, malformed or unknown. A request with
 * an Authorization header is judged by that header alone.
 */
export function principalOf(
  request: FastifyRequest,
  keys: KeyCache,
  sessions: SessionGate | undefined,
): Principal | null | Promise<Principal | null> {
  if (request.headers.authorization === undefined) return sessions?.principalOf(request) ?? null;
  const token = bearerToken(request);
  return token === null ? null : keys.lookUp(hashToken(token), request.ip);
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,512}) *$/i;

export function bearerToken(request: FastifyRequest): string | null {
  return BEARER.exec(onlyHeader(request, 'authorization') ?? '')?.[1] ?? null;
}

const USE_BEARER = 'send the header `Authorization: Bearer <API_KEY>`';

/**
 * Says what to correct in the header. Unknown, expired and revoked keys get the same answer, so nothing is
 * revealed about a key.
 */
export function unauthorized(request: FastifyRequest): ApiError {
  const { authorization, cookie } = request.headers;
  if (authorization === undefined && cookie?.includes('postrider_session='))
    return new ApiError('UNAUTHORIZED', [], 'Your session has ended. Sign in again.');
  if (authorization === undefined)
    return new ApiError('UNAUTHORIZED', [], `The API key is missing: ${USE_BEARER}.`);
  if (bearerToken(request) === null)
    return new ApiError(
      'UNAUTHORIZED',
      [],
      `The Authorization header is malformed: ${USE_BEARER} once, with one key and nothing after it.`,
    );
  return new ApiError(
    'UNAUTHORIZED',
    [],
    'The API key is unknown, expired or revoked. Compare it with the keys under Settings, or create another one.',
  );
}

/** The value of a header that occurs exactly once; otherwise null. `name` is lower case. */
export function onlyHeader(request: FastifyRequest, name: string): string | null {
  const header = request.headers[name];
  return typeof header !== 'string' || isRepeated(request.raw.rawHeaders, name) ? null : header;
}

/** Node keeps the first of several headers; a proxy in front may have read the last. Neither is trusted. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const one = rawHeaders[i] as string;
    if (one.length === name.length && one.toLowerCase() === name) seen += 1;
  }
  return seen > 1;
}

const PRINCIPAL = Symbol('principal');

type WithPrincipal = FastifyRequest & { [PRINCIPAL]?: Principal };

/** For public routes that treat an authenticated caller differently. */
export function principalIfAny(request: FastifyRequest): Principal | undefined {
  return (request as WithPrincipal)[PRINCIPAL];
}

export function decoratePrincipal(app: FastifyInstance): void {
  app.decorateRequest('principal', {
    getter(this: FastifyRequest): Principal {
      const principal = (this as WithPrincipal)[PRINCIPAL];
      if (!principal) throw new Error('this route does not authenticate, so it has no principal');
      return principal;
    },
    setter(this: FastifyRequest, principal: Principal): void {
      (this as WithPrincipal)[PRINCIPAL] = principal;
    },
  });
}
