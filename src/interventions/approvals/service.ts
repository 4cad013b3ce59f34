/**
 * Decides about mail that waits for approval. It locks the outbox before the email, in the order that workers use. A second
 * decision finds no waiting mail, and neither does a decision about mail that was cancelled meanwhile.
 */

import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { appendRequeuedEvents } from '../../emails/requeue.ts';
import { recipientsOf } from '../../emails/store-read.ts';
import { recordWithdrawal } from '../../emails/withdrawal.ts';
import { unparkApprovedMail, withdrawUnapproved } from '../../outbox/approval.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isUuid } from '../../runtime/ids.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import {
  type ApprovalRow,
  approvalsOver,
  decideApproval,
  findApproval,
  removeApprovalsOfDeletedMail,
} from './store.ts';

export interface ApprovalDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export interface Approver {
  readonly organizationId: string;
  readonly userId: string;
}

export async function readApproval(db: Sql, organizationId: string, id: string): Promise<ApprovalRow> {
  const row = isUuid(id) ? await findApproval(db, organizationId, id) : undefined;
  if (row === undefined)
    throw new ServiceError(
      'NOT_FOUND',
      'No email with this id needs an approval. GET /approvals lists the emails that do.',
    );
  return row;
}

export async function approve(deps: ApprovalDeps, approver: Approver, id: string): Promise<ApprovalRow> {
  const { organizationId } = approver;
  const nowMs = deps.clock.nowMs();
  const { scheduled_at: at } = await readApproval(deps.db, organizationId, id);
  await deps.db.transaction(async (tx) => {
    const positions = await unparkApprovedMail(tx, organizationId, id, at);
    if (positions.length === 0) throw await notWaiting(tx, organizationId, id);
    await settle(tx, approver, id, { decision: 'approved', reason: null, nowMs });
    const recipients = await recipientsOf(tx, organizationId, id);
    const waited = recipients.filter(({ position }) => positions.includes(position));
    const deliveries = waited.map((one) => ({ organizationId, emailId: id, ...one }));
    await appendRequeuedEvents(tx, deliveries, 'approved', nowMs);
  });
  return readApproval(deps.db, organizationId, id);
}

export async function reject(
  deps: ApprovalDeps,
  approver: Approver,
  id: string,
  reason: string,
): Promise<ApprovalRow> {
  const { organizationId } = approver;
  const nowMs = deps.clock.nowMs();
  await readApproval(deps.db, organizationId, id);
  await deps.db.transaction(async (tx) => {
    const withdrawn = await withdrawUnapproved(tx, organizationId, id);
    if (withdrawn.length === 0) throw await notWaiting(tx, organizationId, id);
    await settle(tx, approver, id, { decision: 'rejected', reason, nowMs });
    await recordWithdrawal(tx, withdrawn, 'approval_rejected', nowMs);
  });
  return readApproval(deps.db, organizationId, id);
}

interface Settled {
  readonly decision: 'approved' | 'rejected';
  readonly reason: string | null;
  readonly nowMs: number;
}

/** The caller has locked the outbox rows, so no other decision can interfere. */
async function settle(tx: Sql, approver: Approver, emailId: string, settled: Settled): Promise<void> {
  const { organizationId, userId: by } = approver;
  const { decision, reason, nowMs } = settled;
  const at = new Date(nowMs);
  if (!(await decideApproval(tx, { organizationId, emailId, decision, at, by, reason })))
    throw new Error('Mail waited for an approval that was decided before.');
}

async function notWaiting(tx: Sql, organizationId: string, id: string): Promise<ServiceError> {
  const { state } = await readApproval(tx, organizationId, id);
  return new ServiceError(
    'CONFLICT',
    `This email no longer waits for approval: it is ${state}. GET /approvals/${id} says who decided.`,
  );
}

const STEP = 100;

/** Ends approvals that timed out or whose mail left the queue meanwhile. Each is an independent transaction. */
export async function endApprovals({ db, clock }: ApprovalDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const over = await approvalsOver(db, new Date(clock.nowMs()), STEP);
    for (const one of over) {
      if (signal.aborted) return;
      await db.transaction((tx) => endOne(tx, one, clock.nowMs()));
    }
    if (over.length < STEP) break;
  }
  await removeApprovalsOfDeletedMail(db);
}

async function endOne(
  tx: Sql,
  { organizationId, emailId }: { readonly organizationId: string; readonly emailId: string },
  nowMs: number,
): Promise<void> {
  const withdrawn = await withdrawUnapproved(tx, organizationId, emailId);
  const decision = withdrawn.length > 0 ? 'expired' : 'withdrawn';
  const end = { organizationId, emailId, decision, at: new Date(nowMs), by: null, reason: null } as const;
  await decideApproval(tx, end);
  await recordWithdrawal(tx, withdrawn, 'approval_expired', nowMs);
}
