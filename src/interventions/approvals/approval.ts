/**
 * An approval: mail of a key whose policy requires one is accepted and stored, and waits until a user decides.
 *
 *   waiting ──approve──▶ approved      it is due, at its time or now
 *      ├──────reject───▶ rejected      it ends as failed
 *      ├──────────────▶ expired        the same, after APPROVAL_DAYS without a decision
 *      └──────────────▶ withdrawn      it left the queue some other way
 *
 * Only store.ts writes the table `approvals`. The outbox decides whether mail still waits; the table records who decided.
 */
export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'expired', 'withdrawn'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];
export type ApprovalDecision = Exclude<ApprovalState, 'waiting'>;

export const APPROVAL_DAYS = 7;
