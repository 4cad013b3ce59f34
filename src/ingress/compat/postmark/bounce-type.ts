/** Why mail came back, in the words that Postmark's webhooks have, too. */
import { REASON_MEANINGS } from '../../../delivery/policy/reason-meanings.ts';
import type { EventType } from '../../../events/append.ts';
import type { LastEvent } from '../../../events/read.ts';
import { postmarkBounce, postmarkDescription } from '../../../webhooks/dispatch/formats/postmark-words.ts';

const { meaningOf, provesDead } = REASON_MEANINGS;

/** What Postmark counts as a bounce. */
export const BOUNCE_EVENTS = ['bounced', 'failed', 'complained'] as const satisfies readonly EventType[];

export function bounceTypeOf(event: LastEvent) {
  return postmarkBounce(event, event.reason !== null && provesDead(event.reason));
}

/** The reason in a sentence. */
export function summaryOf(event: LastEvent): string {
  const { reason } = event;
  return postmarkDescription(event, reason === null ? '' : (meaningOf(reason) ?? reason));
}
