/** Why mail came back, in Postmark's words: the same that its webhooks have. */
import { OUTCOME_REASONS, type OutcomeReason } from '../../delivery/policy/reasons.ts';
import { effectOf } from '../../delivery/policy/refusals/effects.ts';
import type { EventType } from '../../events/append.ts';
import type { EventRow } from '../../events/read.ts';
import { postmarkBounce } from '../../webhooks/dispatch/formats/postmark-words.ts';

/** What Postmark counts as a bounce. */
export const BOUNCE_EVENTS = ['bounced', 'failed', 'complained'] as const satisfies readonly EventType[];

export function bounceTypeOf(event: Pick<EventRow, 'type' | 'reason'>) {
  return postmarkBounce(event, isReason(event.reason) && effectOf(event.reason).suppress);
}

/** The reason in a sentence. */
export function summaryOf({ type, reason }: Pick<EventRow, 'type' | 'reason'>): string {
  if (type === 'complained') return 'The recipient reported the message as spam.';
  return isReason(reason) ? OUTCOME_REASONS[reason] : (reason ?? '');
}

/** What the server said, as it said it. */
export function serverReply({ smtp_code, enhanced_code, smtp_message }: EventRow): string {
  return [smtp_code, enhanced_code, smtp_message].filter((part) => part !== null).join(' ');
}

function isReason(reason: string | null): reason is OutcomeReason {
  return reason !== null && Object.hasOwn(OUTCOME_REASONS, reason);
}
