/** What a key and a person may be allowed to do. What that means for a route is in kit/http/access.ts. */

/** Of keys, the widest first. */
export const SCOPES = ['full', 'read', 'send'] as const;
export type Scope = (typeof SCOPES)[number];

/** Of people in an organization. */
export const ROLES = ['owner', 'member', 'read_only'] as const;
export type Role = (typeof ROLES)[number];
