/**
 * Webhook events that concern no email, sent only to endpoints that subscribe to them by name. They are stored nowhere else:
 * the webhook message itself is enqueued, in the transaction of the change that it reports.
 */
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7 } from '../runtime/ids.ts';

interface AccountEvent {
  readonly organizationId: string;
  readonly type: string;
  /** The payload besides the event's id, type and time. */
  readonly data: object;
}

const insert = sql(
  'webhook_deliveries.append_account_events',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at, payload)
   SELECT w.id, event.event_id, event.organization_id, event.type, clock_timestamp(), $1, event.payload
   FROM unnest($2::text[], $3::uuid[], $4::text[], $5::jsonb[]) AS event (organization_id, event_id, type, payload)
   JOIN webhook_endpoints w
     ON w.organization_id = event.organization_id AND w.enabled AND event.type = ANY (w.event_types)`,
  { home: 'cell', organization: '$2' },
);

export async function appendAccountEvents(
  tx: Sql,
  atMs: number,
  all: readonly AccountEvent[],
): Promise<void> {
  if (all.length === 0) return;
  await tx.exec(insert, [
    new Date(atMs),
    all.map(({ organizationId }) => organizationId),
    all.map(() => uuidv7(atMs)),
    all.map(({ type }) => type),
    all.map(({ data }) => JSON.stringify(data)),
  ]);
}
