/**
 * The authenticated caller: a program with a key, or a user with a session. Routes under the API prefixes
 * always have one unless they set `config: { public: true }`.
 */
import type { DomainName } from '../protocols/message/domain-name.ts';
import type { PolicyInForce, Role, Scope } from '../runtime/permissions.ts';

export interface Principal {
  readonly organizationId: string;
  /** Null when the caller is a user. */
  readonly keyId: string | null;
  /** The first key in a chain of rotations; the key itself if it replaced none. */
  readonly firstKeyId?: string;
  readonly scope: Scope;
  /** The one sending domain this key is tied to, or null when it may use any of its organization. */
  readonly domain: DomainName | null;
  /** Set for keys that expire. */
  readonly expiresAt?: Date | null;
  /** Limits on what the key may send; without one, its scope and domain alone decide. */
  readonly policy?: PolicyInForce | null;
  /** Set when a user is calling. */
  readonly session?: PrincipalSession;
}

export interface PrincipalSession {
  readonly userId: string;
  readonly role: Role;
  /** May run the installation: an owner of its first organization. */
  readonly isOperator: boolean;
  /** SHA-256 of the session token. */
  readonly hash: Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Throws when read on a route without authentication, which is a bug in that route. */
    principal: Principal;
  }
}
