/**
 * Who is calling: a program with a key, or a person with a session. Routes under the API prefixes always have one,
 * unless they say `config: { public: true }`.
 */
import type { DomainName } from '../protocols/message/domain-name.ts';
import type { PolicyInForce, Role, Scope } from '../runtime/permissions.ts';

export interface Principal {
  readonly organizationId: string;
  /** Null when it is no key that calls. */
  readonly keyId: string | null;
  /** The first of the keys that replaced each other by rotation; the key itself where it replaced none. */
  readonly firstKeyId?: string;
  readonly scope: Scope;
  /** The one sending domain this key is tied to, or null when it may use any of its organization. */
  readonly domain: DomainName | null;
  /** Of a key that ends by itself. */
  readonly expiresAt?: Date | null;
  /** What it may send; without one, all that its scope and its domain allow. */
  readonly policy?: PolicyInForce | null;
  /** There when a person is calling. */
  readonly session?: PrincipalSession;
}

export interface PrincipalSession {
  readonly userId: string;
  /** In the organization that the session works in. */
  readonly role: Role;
  /** Runs the installation: an owner of its first organization. */
  readonly isOperator: boolean;
  /** SHA-256 of its token. */
  readonly hash: Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Reading it on a route without authentication is a mistake in that route and throws. */
    principal: Principal;
  }
}
