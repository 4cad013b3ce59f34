/**
 * What webhooks are told about canaries: every step. They are the whole installation's, so only webhooks of the organization whose
 * owners run it are told, and only those that ask for it by name.
 */
import { type Sql, sql } from '../kit/database/sql.ts';
import { uuidv7 } from '../kit/runtime/ids.ts';

export const CANARY_EVENT_TYPES = ['canary.stepped'] as const;

export type CanaryEventType = (typeof CANARY_EVENT_TYPES)[number];

const insert = sql(
  'webhook_deliveries.append_canary_events',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at, payload)
   SELECT w.id, told.event_id, $1, $2, now(), $3, told.payload
   FROM unnest($4::uuid[], $5::jsonb[]) AS told (event_id, payload)
   JOIN webhook_endpoints w ON w.organization_id = $1 AND w.enabled AND $2 = ANY (w.event_types)`,
);

/** `steps`: what is told of each, beside the event's id, type and time. */
export async function appendCanaryEvents(
  tx: Sql,
  organizationId: string,
  atMs: number,
  steps: readonly object[],
): Promise<void> {
  if (steps.length === 0) return;
  await tx.exec(insert, [
    organizationId,
    CANARY_EVENT_TYPES[0],
    new Date(atMs),
    steps.map(() => uuidv7(atMs)),
    steps.map((step) => JSON.stringify(step)),
  ]);
}
