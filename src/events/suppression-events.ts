/**
 * What webhooks are told about the suppression list. Only those that ask for it by name: most code hears of it by what
 * happened to the mail (a bounce, a complaint, an unsubscription).
 */
import type { Sql } from '../database/sql.ts';
import { appendAccountEvents } from './account-events.ts';

export const SUPPRESSION_EVENT_TYPES = ['suppression.added', 'suppression.removed'] as const;

export type SuppressionEventType = (typeof SUPPRESSION_EVENT_TYPES)[number];

/** What is told, beside the event's id, type and time. */
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
  all: readonly { readonly organizationId: string; readonly news: SuppressionEventData }[],
): Promise<void> {
  return appendAccountEvents(
    tx,
    Date.now(),
    all.map(({ organizationId, news }) => ({ organizationId, type, told: news })),
  );
}
