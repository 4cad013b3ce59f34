/**
 * Who is calling: a program with a key, or a person with a session. Routes under the API prefixes always have one,
 * unless they say `config: { public: true }`.
 */
import type { AuditRule } from './audit.ts';
import type { ErrorCode } from './errors.ts';

/** The widest first. */
export const SCOPES = ['full', 'read', 'send'] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['owner', 'member', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

export interface Principal {
  readonly organizationId: string;
  /** Null when it is no key that calls. */
  readonly keyId: string | null;
  readonly scope: Scope;
  /** The one sending domain this key is tied to, or null when it may use any of its organization. */
  readonly domain: string | null;
  /** Of a key that ends by itself. */
  readonly expiresAt?: Date | null;
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

  interface FastifyContextConfig {
    /** Also for keys of scope `send`. What changes nothing is for `read` without being told, the rest for `full`. */
    scope?: 'send';
    /** Also for keys that are tied to a domain: all that it shows or changes is of that domain, or of none. */
    tied?: boolean;
    /**
     * Not for keys: `self` is for everybody who is signed in, about themselves; `owner` for owners only; `operator` for
     * those who run the installation: what it changes, it changes for all organizations.
     */
    access?: 'self' | 'owner' | 'operator';
    /** Changes nothing, whatever its method: for those who may only read, too. */
    reads?: boolean;
    /** What a success leaves in the audit log. */
    audit?: AuditRule;
    /** Takes any text, what cannot be stored included: the route stores none of it and has a word about each. */
    judgesText?: boolean;
    /** No key needed. Only for routes that give nothing away. */
    public?: boolean;
    /** Error codes particular to this route, for the documentation. The usual ones are added by the kit. */
    errors?: readonly ErrorCode[];
  }
}
