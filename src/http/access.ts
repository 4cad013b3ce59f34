/**
 * Decides whether a route's `config` admits a caller, by the scope and domain of a key or the role of a user.
 * No other module decides this.
 */
import type { FastifyContextConfig } from 'fastify';
import { type Reach, SCOPES, type Scope } from '../runtime/permissions.ts';
import { ApiError } from './errors.ts';
import type { Principal, PrincipalSession } from './principal.ts';

type Rule = Pick<
  FastifyContextConfig,
  'scope' | 'access' | 'reads' | 'ownData' | 'tied' | 'ofAllMail' | 'ofReceivedMail'
>;

export function assertAllowed(principal: Principal, rule: Rule, method: string): void {
  const refusal = refusalOf(principal, rule, method);
  if (refusal !== null) throw new ApiError('FORBIDDEN', [], refusal);
}

export function isAllowed(principal: Principal, rule: Rule, method: string): boolean {
  return refusalOf(principal, rule, method) === null;
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether the caller may change data. Routes that read, and store their findings on the side, check this. */
export function mayChange({ session, scope }: Principal): boolean {
  return session ? session.role !== 'read_only' : scope !== 'read';
}

/** The key scopes that may call a route, widest first. Used by the documentation. */
export function scopesOf(rule: Rule, method: string): Scope[] {
  if (rule.access !== undefined) return [];
  return SCOPES.filter((scope) => refusalOfScope(scope, rule, method) === null);
}

/** The emails whose content the caller may read. An agent's key may read only the emails it sent. */
export function reachOf({ organizationId, scope, keyId, domain }: Principal): Reach {
  return { organizationId, sentWith: scope === 'send' || scope === 'agent' ? keyId : null, domain };
}

/** Keys of scope `send` and `agent` see the outcome of their emails but never the content. */
export function readsContent({ scope }: Principal): boolean {
  return scope === 'full' || scope === 'read';
}

/** The emails whose outcome, without content, the caller may see. */
export function outcomeReachOf(principal: Principal): Reach {
  const reach = reachOf(principal);
  return readsAllMail(principal) ? { ...reach, sentWith: null } : reach;
}

function readsAllMail({ scope, policy }: Principal): boolean {
  return scope === 'agent' && policy?.read === 'organization';
}

/**
 * The calling agent; null for other keys and for users. An agent has its own idempotency keys and its own
 * rate limit, so a prompt-injected agent can neither block other keys nor read their responses.
 */
export function agentOf({ scope, keyId, firstKeyId = keyId ?? undefined }: Principal): string | null {
  return scope === 'agent' ? (firstKeyId ?? null) : null;
}

function refusalOf(principal: Principal, rule: Rule, method: string): string | null {
  return principal.session
    ? refusalOfRole(principal.session, rule, method)
    : refusalOfKey(principal, rule, method);
}

function refusalOfKey(principal: Principal, rule: Rule, method: string): string | null {
  // Any member can create keys, so a key must never have more rights than a member.
  if (rule.access !== undefined) return 'An API key cannot do this. Sign in to the dashboard instead.';
  return (
    refusalOfScope(principal.scope, rule, method) ??
    refusalOfReading(principal, rule) ??
    refusalOfTie(principal.domain, rule)
  );
}

function refusalOfReading(principal: Principal, { ofAllMail, ofReceivedMail }: Rule): string | null {
  if (principal.scope !== 'agent') return null;
  if (ofAllMail === true && !readsAllMail(principal)) return OF_OWN_MAIL;
  return ofReceivedMail === true && principal.policy?.inbound !== true ? OF_RECEIVED_MAIL : null;
}

function refusalOfScope(scope: Scope, rule: Rule, method: string): string | null {
  if (scope === 'full' || rule.scope === scope) return null;
  const changes = !isRead(method) && rule.reads !== true;
  if (scope === 'agent') return rule.scope === 'send' ? null : OF_AGENT;
  if (scope === 'send') return OF_SEND[changes ? 'changes' : 'reads'];
  return changes ? 'An API key of scope read cannot change anything; use a key of scope full.' : null;
}

const OF_OPERATORS =
  'Only operators of this installation may do this: owners of its first organization, or anybody who can run npx postrider on its machine.';

const MAY_SEND = 'An API key of scope send may send, validate addresses and look up one by one what it sent';
const OF_SEND = {
  changes: `${MAY_SEND}; this needs a key of scope full.`,
  reads: `${MAY_SEND}; this needs a key of scope full or read.`,
};

const OF_OWN_MAIL =
  'This API key of scope agent reads only what became of its own mail, and this concerns all mail of the organization; it needs a policy with read: organization.';

const OF_RECEIVED_MAIL =
  'This API key of scope agent may not read or answer received mail; it needs a policy with inbound: true.';

const OF_AGENT =
  'An API key of scope agent may send, and look up what became of mail, domains, streams and templates, and what its policy adds to that; this needs a key of scope full, or of scope read if it changes nothing.';

function refusalOfTie(domain: string | null, { tied }: Rule): string | null {
  if (domain === null || tied === true) return null;
  return `This API key is tied to ${domain}, and this request concerns the whole organization; use a key that is not tied to a domain.`;
}

function refusalOfRole(
  { role, isOperator }: PrincipalSession,
  { access, reads, ownData }: Rule,
  method: string,
): string | null {
  if (access === 'operator') return isOperator ? null : OF_OPERATORS;
  if (access === 'self' || role === 'owner') return null;
  if (access === 'member')
    return role === 'member'
      ? null
      : 'Your role allows reading only. Ask an owner of the organization for another role.';
  if (access === 'owner') return 'Only owners of the organization may do this. Ask an owner.';
  const changes = !isRead(method) && reads !== true && ownData !== true;
  return role === 'read_only' && changes
    ? 'Your role allows reading only. Ask an owner of the organization for another role.'
    : null;
}
