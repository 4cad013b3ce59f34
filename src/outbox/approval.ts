/**
 * Mail that waits for somebody's approval is parked like mail that is held: due at no time, with the whole of its lifetime
 * before it. What is approved is due at the time it was scheduled for, or now. Nothing else takes this hold away.
 */
import { type Sql, sql } from '../database/sql.ts';
import type { Withdrawn } from './withdraw.ts';

/** In place of the id of a hold. No hold has it. */
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

/** Part of the transaction that puts them into the queue: no worker ever sees them due. */
export async function parkForApproval(
  tx: Sql,
  emails: readonly { readonly organizationId: string; readonly id: string }[],
): Promise<void> {
  await tx.exec(parkNew, [emails.map((one) => one.organizationId), emails.map((one) => one.id)]);
}

/** The positions that were waiting; none where it does not wait any more. */
export async function unparkApprovedMail(
  tx: Sql,
  organizationId: string,
  emailId: string,
  scheduledAt: Date | null,
): Promise<number[]> {
  const rows = await tx.many(unparkApproved, [organizationId, emailId, scheduledAt]);
  return rows.map(({ position }) => position);
}

/** Takes it out of the queue. Nothing where it does not wait any more. */
export async function withdrawUnapproved(
  tx: Sql,
  organizationId: string,
  emailId: string,
): Promise<Withdrawn[]> {
  const rows = await tx.many(removeWaiting, [organizationId, emailId]);
  return rows.map(({ position, attempt }) => ({ organizationId, emailId, position, attempts: attempt }));
}
