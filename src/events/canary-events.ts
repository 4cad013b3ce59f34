/**
 * Webhook events for every step of a canary. Canaries belong to the whole installation, so only webhooks of the operators'
 * organization get these events, and only if they subscribe to them by name.
 */
import type { Sql } from '../database/sql.ts';
import { appendAccountEvents } from './account-events.ts';

export const CANARY_EVENT_TYPES = ['canary.stepped'] as const;

export type CanaryEventType = (typeof CANARY_EVENT_TYPES)[number];

/** `steps`: the payload of each step besides the event's id, type and time. */
export function appendCanaryEvents(
  tx: Sql,
  organizationId: string,
  atMs: number,
  steps: readonly object[],
): Promise<void> {
  const [type] = CANARY_EVENT_TYPES;
  return appendAccountEvents(
    tx,
    atMs,
    steps.map((data) => ({ organizationId, type, data })),
  );
}
