/**
 * What webhooks are told about what needs attention. Only those that ask for it by name: it is for whoever is to be called,
 * and code that handles mail need not know it.
 */
import { type Sql, sql } from '../kit/database/sql.ts';
import { uuidv7 } from '../kit/runtime/ids.ts';

export const ATTENTION_EVENT_TYPES = ['attention.raised', 'attention.cleared'] as const;

export type AttentionEventType = (typeof ATTENTION_EVENT_TYPES)[number];

export interface AttentionEvent {
  readonly type: AttentionEventType;
  /** What is told, beside the event's id, type and time. */
  readonly told: object;
}

const insert = sql(
  'webhook_deliveries.append_attention_events',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at, payload)
   SELECT w.id, told.event_id, $1, told.type, now(), $2, told.payload
   FROM unnest($3::uuid[], $4::text[], $5::jsonb[]) AS told (event_id, type, payload)
   JOIN webhook_endpoints w ON w.organization_id = $1 AND w.enabled AND told.type = ANY (w.event_types)`,
);

const listening = sql<{ organization_id: string }>(
  'webhook_endpoints.listening_for_attention',
  `SELECT DISTINCT organization_id FROM webhook_endpoints
   WHERE enabled AND event_types && $1::text[] ORDER BY organization_id`,
);

export async function appendAttentionEvents(
  tx: Sql,
  organizationId: string,
  atMs: number,
  events: readonly AttentionEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.exec(insert, [
    organizationId,
    new Date(atMs),
    events.map(() => uuidv7(atMs)),
    events.map(({ type }) => type),
    events.map(({ told }) => JSON.stringify(told)),
  ]);
}

export async function organizationsListening(db: Sql): Promise<string[]> {
  const rows = await db.many(listening, [[...ATTENTION_EVENT_TYPES]]);
  return rows.map(({ organization_id }) => organization_id);
}
