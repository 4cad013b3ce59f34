/** What a key and a person may be allowed to do. What that means for a route is in http/access.ts. */

/** Of keys, the widest first. */
export const SCOPES = ['full', 'read', 'agent', 'send'] as const;
export type Scope = (typeof SCOPES)[number];

/** Of people in an organization. */
export const ROLES = ['owner', 'member', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

/** Which mail somebody may know of: their organization's, and of that only what both of the others let through. */
export interface Reach {
  readonly organizationId: string;
  /** Only what was sent with this key. */
  readonly sentWith: string | null;
  /** Only what is from this domain. */
  readonly domain: string | null;
}

/** An organization; with a domain, only what belongs to that one. */
export interface DomainReach {
  readonly organizationId: string;
  readonly domain?: string | null;
}

/** What a key may send beyond its scope: for programs that decide by themselves whom to write to, and what. */
export interface KeyPolicy {
  /** Addresses, domains and `*.` with a domain; null: anybody. */
  readonly recipients: readonly string[] | null;
  /**
   * Senders, as addresses, domains and `*.` with a domain, each with its display name or without; null: any address that its
   * organization may send from, and any name, but none with templates only.
   */
  readonly from: readonly string[] | null;
  /** Ids or aliases, or `*` for all of them; null: content of its own, too. */
  readonly templates: readonly string[] | null;
  /** Whether files may be attached, and whole messages handed in. */
  readonly attachments: boolean;
  /** Recipients in a day, in UTC; null: as many as its organization may. */
  readonly daily_budget: number | null;
  readonly approval: 'required' | 'none';
  /** Of which mail an agent may look up what became of it: its own, or all of its organization. */
  readonly read: 'own' | 'organization';
  /** Whether an agent may list, read and answer the mail that its organization receives. */
  readonly inbound: boolean;
}

/** As it holds for a request. */
export interface PolicyInForce extends KeyPolicy {
  /** Which key's budget counts: the first of those that took each other's place. */
  readonly budgetOf: string;
}
