/** The reason of a bounce, in the terms that Postmark's webhooks also use. */
import { REASON_MEANINGS } from '../../../delivery/policy/reason-meanings.ts';
import type { EventType } from '../../../events/append.ts';
import type { LastEvent } from '../../../events/read.ts';
import { postmarkBounce, postmarkDescription } from '../../../webhooks/dispatch/formats/postmark-words.ts';

const { meaningOf, provesDead } = REASON_MEANINGS;

/** The events that Postmark counts as bounces. */
export const BOUNCE_EVENTS = ['bounced', 'failed', 'complained'] as const satisfies readonly EventType[];

export function bounceTypeOf(event: LastEvent) {
  return postmarkBounce(event, event.reason !== null && provesDead(event.reason));
}

/** The reason as a sentence. */
export function summaryOf(event: LastEvent): string {
  const { reason } = event;
  return postmarkDescription(event, reason === null ? '' : (meaningOf(reason) ?? reason));
}
