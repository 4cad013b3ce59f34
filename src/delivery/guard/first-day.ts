/** Which organizations the guard watches, and which of them it only watches because they are new. */

import type { Sql } from '../../database/sql.ts';
import { firstVerificationOf } from '../../domains/store.ts';
import { type GuardPolicy, guardPolicyOf } from '../../organizations/settings/guard.ts';
import { DAY_MS } from '../../runtime/durations.ts';

export interface WatchedOrganization extends Pick<GuardPolicy, 'allow'> {
  /** Nothing is known yet of what is usual for it: the guard records what it would do, and does nothing. */
  readonly isFirstDay: boolean;
}

/** Null where the guard is off, or the organization is gone. */
export async function watchedOrganization(
  db: Sql,
  organizationId: string,
  nowMs: number,
): Promise<WatchedOrganization | null> {
  const policy = await guardPolicyOf(db, organizationId);
  if (policy === null || !policy.isEnabled) return null;
  // An installation that leaves the sandbox has its domains verified again: its first day is the first day of live mail.
  const verifiedAt = await firstVerificationOf(db, organizationId);
  const sinceMs = Math.max(policy.createdAt.getTime(), verifiedAt?.getTime() ?? 0);
  return { allow: policy.allow, isFirstDay: nowMs - sinceMs < DAY_MS };
}
