/** What a key's scope and a person's role allow. The one place that decides it, from the route's own `config`. */
import type { FastifyContextConfig } from 'fastify';
import { ApiError } from './errors.ts';
import type { Principal, Role } from './principal.ts';

type Rule = Pick<FastifyContextConfig, 'scope' | 'access' | 'reads'>;

export function assertAllowed(principal: Principal, rule: Rule, method: string): void {
  const refusal = principal.session
    ? refusalOfRole(principal.session.role, rule, method)
    : refusalOfKey(principal, rule);
  if (refusal !== null) throw new ApiError('FORBIDDEN', [], refusal);
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Undefined as a sentence means the catalogue's own. */
function refusalOfKey(principal: Principal, { scope, access }: Rule): string | undefined | null {
  // Any member can make a key, so a key must never be able to do more than a member.
  if (access !== undefined) return 'An API key cannot do this; it takes a person who is signed in.';
  return principal.scope !== 'full' && scope !== principal.scope ? undefined : null;
}

function refusalOfRole(role: Role, { access, reads }: Rule, method: string): string | null {
  if (access === 'self' || role === 'owner') return null;
  if (access === 'owner') return 'Only owners of the organization may do this.';
  const changes = !isRead(method) && reads !== true;
  return role === 'read_only' && changes ? 'Your role allows reading only.' : null;
}
