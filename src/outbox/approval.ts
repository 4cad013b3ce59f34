/**
 * Mail that waits for approval is parked like held mail: it has no due time, and its full lifetime is kept. Approved mail
 * becomes due at its scheduled time, or now. Nothing else ends this hold.
 */
import { type Sql, sql } from '../database/sql.ts';
import type { Withdrawn } from './withdraw.ts';

/** Stored in place of a hold's id. No hold has this id. */
export const APPROVAL_HOLD = 'approval';

const parkNew = sql(
  'outbox.park_for_approval',
  `UPDATE outbox o SET hold_id = '${APPROVAL_HOLD}', due_at = 'infinity', expires_at = 'infinity',
     time_left = greatest(o.expires_at - o.due_at, interval '0')
   FROM unnest($1::text[], $2::uuid[]) AS asked(organization_id, email_id)
   WHERE o.organization_id = asked.organization_id AND o.email_id = asked.email_id`,
  { home: 'cell', organization: '$1' },
);

const unparkApproved = sql<{ position: number }>(
  'outbox.unpark_approved',
  `UPDATE outbox SET hold_id = NULL, time_left = NULL, due_at = greatest(now(), $3::timestamptz),
     expires_at = (greatest(now(), $3::timestamptz) AT TIME ZONE 'UTC' + time_left) AT TIME ZONE 'UTC'
   WHERE organization_id = $1 AND email_id = $2 AND hold_id = '${APPROVAL_HOLD}'
   RETURNING position`,
  { home: 'cell', organization: '$1' },
);

const removeWaiting = sql<{ position: number; attempt: number }>(
  'outbox.withdraw_unapproved',
  `DELETE FROM outbox WHERE organization_id = $1 AND email_id = $2 AND hold_id = '${APPROVAL_HOLD}'
   RETURNING position, attempt`,
  { home: 'cell', organization: '$1' },
);

/** Part of the transaction that enqueues the deliveries, so no worker sees them due. */
export async function parkForApproval(
  tx: Sql,
  emails: readonly { readonly organizationId: string; readonly id: string }[],
): Promise<void> {
  await tx.exec(parkNew, [emails.map((one) => one.organizationId), emails.map((one) => one.id)]);
}

/** Returns the positions that waited for approval; empty if the email no longer waits. */
export async function unparkApprovedMail(
  tx: Sql,
  organizationId: string,
  emailId: string,
  scheduledAt: Date | null,
): Promise<number[]> {
  const rows = await tx.many(unparkApproved, [organizationId, emailId, scheduledAt]);
  return rows.map(({ position }) => position);
}

/** Removes the email from the queue. Does nothing if it no longer waits for approval. */
export async function withdrawUnapproved(
  tx: Sql,
  organizationId: string,
  emailId: string,
): Promise<Withdrawn[]> {
  const rows = await tx.many(removeWaiting, [organizationId, emailId]);
  return rows.map(({ position, attempt }) => ({ organizationId, emailId, position, attempts: attempt }));
}
