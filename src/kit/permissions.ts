/** What a key and a person may be allowed to do. What that means for a route is in kit/http/access.ts. */

/** Of keys, the widest first. */
export const SCOPES = ['full', 'read', 'send'] as const;
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
