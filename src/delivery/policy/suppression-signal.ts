/** What an attempt says about the recipient's mailbox, for the suppression list. Pure. */
import type { SuppressionSignal } from '../../suppressions/automatic.ts';
import type { Verdict } from './decide.ts';
import type { Outcome } from './outcome.ts';

/**
 * Only outcomes about the recipient count. A full mailbox counts once per delivery, when the delivery ends. A working mailbox is
 * reported only where it was full before.
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
