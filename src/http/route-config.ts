/** What a route declares in its `config`. */
import type { AuditRule } from './audit.ts';
import type { ErrorCode } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Admits keys of scope `send` and `agent`, or of scope `agent` alone. Without it, reading routes admit
     * `read` and all others admit `full`.
     */
    scope?: 'send' | 'agent';
    /** Shows all mail of the organization: agents need a policy that allows this. */
    ofAllMail?: boolean;
    /** Concerns received mail: agents need a policy that allows this. */
    ofReceivedMail?: boolean;
    /**
     * Admits keys tied to a domain: everything the route shows or changes belongs to that domain or to none.
     */
    tied?: boolean;
    /**
     * For signed-in users, not keys: `self` for every user about themselves; `member` for users who may
     * change data; `owner` for owners; `operator` for those who run the installation, with effect on all
     * organizations.
     */
    access?: 'self' | 'member' | 'owner' | 'operator';
    /** Changes nothing, regardless of its method, so read-only callers may use it. */
    reads?: boolean;
    /** The audit entry for a success. */
    audit?: AuditRule;
    /**
     * Accepts any text, even text that cannot be stored: the route stores none of it and judges each value.
     */
    judgesText?: boolean;
    /**
     * With `?dry_run=true` the route answers 200 like the operation at `<path>/dry-run`. The document shows
     * that operation instead, because one operation with two response types fits neither.
     */
    hasDryRun?: boolean;
    /** Advice by method, for methods that the path does not support. */
    insteadOf?: Readonly<Record<string, string>>;
    /** No key needed. Only for routes that reveal nothing. */
    public?: boolean;
    /**
     * Error codes particular to this route, for the documentation. The shared ones are added automatically.
     */
    errors?: readonly ErrorCode[];
  }
}
