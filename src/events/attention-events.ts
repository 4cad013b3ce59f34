/**
 * Webhook events about problems that need attention. Sent only to endpoints that subscribe to them by name, because they are
 * for on-call alerts, and code that handles mail does not need them.
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import { appendAccountEvents } from './account-events.ts';

export const ATTENTION_EVENT_TYPES = ['attention.raised', 'attention.cleared'] as const;

export type AttentionEventType = (typeof ATTENTION_EVENT_TYPES)[number];

export interface AttentionEvent {
  readonly type: AttentionEventType;
  /** The payload besides the event's id, type and time. */
  readonly data: object;
}

const listening = sql<{ organization_id: string }>(
  'webhook_endpoints.listening_for_attention',
  `SELECT DISTINCT organization_id FROM webhook_endpoints
   WHERE enabled AND event_types && $1::text[] AND ${notMigrating()} ORDER BY organization_id`,
  { home: 'cell' },
);

export function appendAttentionEvents(
  tx: Sql,
  organizationId: string,
  atMs: number,
  events: readonly AttentionEvent[],
): Promise<void> {
  return appendAccountEvents(
    tx,
    atMs,
    events.map(({ type, data }) => ({ organizationId, type, data })),
  );
}

export async function organizationsListening(db: Sql): Promise<string[]> {
  const rows = await db.many(listening, [[...ATTENTION_EVENT_TYPES]]);
  return rows.map(({ organization_id }) => organization_id);
}
