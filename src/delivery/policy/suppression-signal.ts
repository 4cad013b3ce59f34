/** What an attempt says about the recipient's mailbox, for the suppression list. Pure. */
import type { SuppressionSignal } from '../../suppressions/automatic.ts';
import type { Verdict } from './decide.ts';
import type { Outcome } from './outcome.ts';

/**
 * Only what the judge blames on the recipient counts. A full mailbox counts once per delivery, when that has ended:
 * at once, or after the last of its retries. That a mailbox works is news only where it was full before.
 */
export function suppressionSignalOf(
  outcome: Outcome,
  verdict: Verdict,
  mailboxWasFull: boolean,
): SuppressionSignal | null {
  switch (verdict.kind) {
    case 'delivered':
      return mailboxWasFull ? 'mailbox_works' : null;
    case 'bounced':
    case 'failed':
      if (outcome.suppress !== null) return outcome.suppress;
      return outcome.reason === 'mailbox_full' ? 'mailbox_full' : null;
    case 'deferred':
    case 'rejected':
      return null;
  }
}
