/** The permissions of keys and users. http/access.ts applies them to routes. */

/** Scopes of keys, widest first. */
export const SCOPES = ['full', 'read', 'agent', 'send'] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of users in an organization. */
export const ROLES = ['owner', 'member', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

/** The mail that a caller may see: within the organization, mail that passes both other filters. */
export interface Reach {
  readonly organizationId: string;
  /** Only mail sent with this key. */
  readonly sentWith: string | null;
  readonly domain: string | null;
}

/** An organization; with a domain, only what belongs to that domain. */
export interface DomainReach {
  readonly organizationId: string;
  readonly domain?: string | null;
}

/**
 * Limits on what a key may send beyond its scope, for programs that choose recipients and content on their
 * own.
 */
export interface KeyPolicy {
  /** Addresses, domains and wildcards (`*.` and a domain); null allows any recipient. */
  readonly recipients: readonly string[] | null;
  /**
   * Senders as addresses, domains and wildcards (`*.` and a domain), each with or without a display name.
   * Null allows any address of the organization with any name, or without a name when only templates are
   * allowed.
   */
  readonly from: readonly string[] | null;
  /** Ids or aliases of templates, or `*` for all; null also allows content without a template. */
  readonly templates: readonly string[] | null;
  /** Allows attachments and complete raw messages. */
  readonly attachments: boolean;
  /** Recipients per UTC day; null means the organization's own limit. */
  readonly daily_budget: number | null;
  readonly approval: 'required' | 'none';
  /** The emails whose outcome an agent may look up: its own, or all of its organization. */
  readonly read: 'own' | 'organization';
  /** Allows an agent to list, read and answer mail that its organization receives. */
  readonly inbound: boolean;
}

/** The policy as it applies to a request. */
export interface PolicyInForce extends KeyPolicy {
  /** The key whose budget counts: the first in a chain of rotations. */
  readonly budgetOf: string;
}
