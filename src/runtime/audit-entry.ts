export const ACTOR_TYPES = ['user', 'api_key', 'operator'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/**
 * An entry of the audit log: actor, action, target and origin. The HTTP layer creates entries; the audit log
 * stores them.
 */
export interface AuditEntry {
  readonly organizationId: string;
  readonly actorType: ActorType;
  readonly actorId: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly targetName: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string;
}

export type WriteAudit = (entry: AuditEntry) => Promise<void>;
