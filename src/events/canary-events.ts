/**
 * What webhooks are told about canaries: every step. They are the whole installation's, so only webhooks of the organization whose
 * owners run it are told, and only those that ask for it by name.
 */
import type { Sql } from '../database/sql.ts';
import { appendAccountEvents } from './account-events.ts';

export const CANARY_EVENT_TYPES = ['canary.stepped'] as const;

export type CanaryEventType = (typeof CANARY_EVENT_TYPES)[number];

/** `steps`: what is told of each, beside the event's id, type and time. */
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
    steps.map((told) => ({ organizationId, type, told })),
  );
}
