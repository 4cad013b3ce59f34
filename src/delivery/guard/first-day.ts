/** Which organizations the guard applies to, and which of these it only observes because they are new. */

import type { Sql } from '../../database/sql.ts';
import { firstVerificationOf } from '../../domains/store.ts';
import { type GuardPolicy, guardPolicyOf } from '../../organizations/settings/guard.ts';
import { DAY_MS } from '../../runtime/durations.ts';

interface WatchedOrganization extends Pick<GuardPolicy, 'allow'> {
  /** The organization's usual mail is not known yet, so the guard only records what it would do. */
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
  // An installation that leaves the sandbox has its domains verified again, so its first day is the first day of live mail.
  const verifiedAt = await firstVerificationOf(db, organizationId);
  const sinceMs = Math.max(policy.createdAt.getTime(), verifiedAt?.getTime() ?? 0);
  return { allow: policy.allow, isFirstDay: nowMs - sinceMs < DAY_MS };
}
