/**
 * What webhooks are told about the suppression list. Only those that ask for it by name: most code hears of it by what
 * happened to the mail (a bounce, a complaint, an unsubscription).
 */
import { type Sql, sql } from '../kit/database/sql.ts';
import { uuidv7 } from '../kit/runtime/ids.ts';

export const SUPPRESSION_EVENT_TYPES = ['suppression.added', 'suppression.removed'] as const;

export type SuppressionEventType = (typeof SUPPRESSION_EVENT_TYPES)[number];

/** What is told, beside the event's id, type and time. */
export interface SuppressionNews {
  readonly suppression_id: string;
  readonly email: string;
  readonly reason: string;
  readonly source: string;
  readonly email_id: string | null;
  readonly unsubscribe_group: string | null;
}

const insert = sql(
  'webhook_deliveries.append_suppression_events',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at, payload)
   SELECT w.id, told.event_id, told.organization_id, $1, now(), $2, told.payload
   FROM unnest($3::text[], $4::uuid[], $5::jsonb[]) AS told (organization_id, event_id, payload)
   JOIN webhook_endpoints w ON w.organization_id = told.organization_id AND w.enabled AND $1 = ANY (w.event_types)`,
);

export async function appendSuppressionEvents(
  tx: Sql,
  type: SuppressionEventType,
  all: readonly { readonly organizationId: string; readonly news: SuppressionNews }[],
): Promise<void> {
  if (all.length === 0) return;
  const atMs = Date.now();
  await tx.exec(insert, [
    type,
    new Date(atMs),
    all.map(({ organizationId }) => organizationId),
    all.map(() => uuidv7(atMs)),
    all.map(({ news }) => JSON.stringify(news)),
  ]);
}
