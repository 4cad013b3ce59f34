/**
 * What an approval is: mail of a key whose policy demands it is accepted and stored, and waits until a person decides.
 *
 *   waiting ──approve──▶ approved      it is due, at its time or now
 *      ├──────reject───▶ rejected      it ends as failed
 *      ├──────────────▶ expired        the same, after APPROVAL_DAYS in which nobody decided
 *      └──────────────▶ withdrawn      it was taken out of the queue some other way
 *
 * Only store.ts writes the table `approvals`. Whether mail still waits is what the outbox says; the table says who decided.
 */
export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'expired', 'withdrawn'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];
export type ApprovalDecision = Exclude<ApprovalState, 'waiting'>;

export const APPROVAL_DAYS = 7;
