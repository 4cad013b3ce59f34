/** What an accepted email puts into the queue and into the log: one delivery and one `queued` event for each recipient. */

import type { NewEvent } from '../events/append.ts';
import type { Mode } from '../kit/runtime/config.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import { type NewDelivery, priorityRank } from '../outbox/states.ts';
import { contentSize, type NewEmail } from './email.ts';

export function deliveriesOf(email: NewEmail, mode: Mode, lifetimeMs: LifetimeMs): NewDelivery[] {
  const window = deliveryWindow(email.createdAtMs, email.scheduledAtMs, lifetimeMs(email.expiresInSeconds));
  const size = contentSize(email);
  return email.recipients.map(({ domain }, position) => ({
    organizationId: email.organizationId,
    emailId: email.id,
    position,
    mode,
    domain,
    priority: priorityRank(email.priority),
    ...window,
    dueAtMs: email.scheduledAtMs === null ? null : window.dueAtMs,
    size,
  }));
}

/** When delivery begins, and when it is given up. */
export function deliveryWindow(nowMs: number, scheduledAtMs: number | null, lifetimeMs: number) {
  const dueAtMs = Math.max(nowMs, scheduledAtMs ?? 0);
  return { dueAtMs, expiresAtMs: dueAtMs + lifetimeMs };
}

export function queuedEvents(email: NewEmail): NewEvent[] {
  return email.recipients.map(({ address }, position) => ({
    organizationId: email.organizationId,
    emailId: email.id,
    position,
    recipient: address,
    type: 'queued',
    atMs: email.createdAtMs,
  }));
}
