/**
 * Webhook events about the suppression list. Sent only to endpoints that subscribe to them by name, because most code learns of
 * suppressions from the events of the mail (a bounce, a complaint, an unsubscription).
 */
import type { Sql } from '../database/sql.ts';
import { systemClock } from '../runtime/clock.ts';
import { appendAccountEvents } from './account-events.ts';

export const SUPPRESSION_EVENT_TYPES = ['suppression.added', 'suppression.removed'] as const;

export type SuppressionEventType = (typeof SUPPRESSION_EVENT_TYPES)[number];

/** The payload besides the event's id, type and time. */
export interface SuppressionEventData {
  readonly suppression_id: string;
  readonly email: string;
  readonly reason: string;
  readonly source: string;
  readonly email_id: string | null;
  readonly unsubscribe_group: string | null;
}

export function appendSuppressionEvents(
  tx: Sql,
  type: SuppressionEventType,
  all: readonly { readonly organizationId: string; readonly data: SuppressionEventData }[],
): Promise<void> {
  return appendAccountEvents(
    tx,
    systemClock.nowMs(),
    all.map(({ organizationId, data }) => ({ organizationId, type, data })),
  );
}
