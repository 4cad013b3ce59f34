/** From the Authorization header to a principal. The token is hashed at once and never kept. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import type { KeyCache } from './key-cache.ts';
import type { Principal, Scope } from './principal.ts';

/** How keys are stored: only this hash is ever compared. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The principal of a request, or null when its key is missing, malformed or unknown. */
export function principalOf(
  request: FastifyRequest,
  keys: KeyCache,
): Principal | null | Promise<Principal | null> {
  const token = bearerToken(request);
  return token === null ? null : keys.lookUp(hashToken(token));
}

export function assertScope(principal: Principal, needed: Scope | undefined): void {
  if (principal.scope !== 'full' && needed !== principal.scope) throw new ApiError('FORBIDDEN');
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,512}) *$/i;

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || isRepeated(request.raw.rawHeaders, 'authorization')) return null;
  return BEARER.exec(header)?.[1] ?? null;
}

/** Node keeps the first of several; a proxy in front may have looked at the last. Neither is trusted. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) seen += 1;
  }
  return seen > 1;
}

const PRINCIPAL = Symbol('principal');

type WithPrincipal = FastifyRequest & { [PRINCIPAL]?: Principal };

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
