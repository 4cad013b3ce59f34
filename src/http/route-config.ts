/** What a route says about itself in its `config`. */
import type { AuditRule } from './audit.ts';
import type { ErrorCode } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Also for keys of scope `send`, and of scope `agent` with them; or of scope `agent` alone. What changes nothing is for
     * `read` without being told, the rest for `full`.
     */
    scope?: 'send' | 'agent';
    /** Tells of all mail of the organization: agents need a policy that says so. */
    ofAllMail?: boolean;
    /** About received mail: agents need a policy that says so. */
    ofReceivedMail?: boolean;
    /** Also for keys that are tied to a domain: all that it shows or changes is of that domain, or of none. */
    tied?: boolean;
    /**
     * Not for keys: `self` is for everybody who is signed in, about themselves; `member` for those who may change
     * things; `owner` for owners only; `operator` for those who run the installation: what it changes, it changes for all organizations.
     */
    access?: 'self' | 'member' | 'owner' | 'operator';
    /** Changes nothing, whatever its method: for those who may only read, too. */
    reads?: boolean;
    /** What a success leaves in the audit log. */
    audit?: AuditRule;
    /** Takes any text, what cannot be stored included: the route stores none of it and has a word about each. */
    judgesText?: boolean;
    /**
     * With `?dry_run=true` it answers 200 as the operation at its path and `/dry-run` does. The document shows that one instead: two
     * answers of one operation are one type that fits neither.
     */
    hasDryRun?: boolean;
    /** By method: what to do instead, for methods that the path does not take. */
    insteadOf?: Readonly<Record<string, string>>;
    /** No key needed. Only for routes that give nothing away. */
    public?: boolean;
    /** Error codes particular to this route, for the documentation. The usual ones are added by the kit. */
    errors?: readonly ErrorCode[];
  }
}
