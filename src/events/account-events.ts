/**
 * What webhooks are told that is about no mail, and only those that ask for it by name. It is kept nowhere else: the message itself
 * is put on its way, in the transaction of what it tells.
 */
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7 } from '../runtime/ids.ts';

export interface AccountEvent {
  readonly organizationId: string;
  readonly type: string;
  /** What is told, beside the event's id, type and time. */
  readonly told: object;
}

const insert = sql(
  'webhook_deliveries.append_named_news',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at, payload)
   SELECT w.id, news.event_id, news.organization_id, news.type, clock_timestamp(), $1, news.payload
   FROM unnest($2::text[], $3::uuid[], $4::text[], $5::jsonb[]) AS news (organization_id, event_id, type, payload)
   JOIN webhook_endpoints w
     ON w.organization_id = news.organization_id AND w.enabled AND news.type = ANY (w.event_types)`,
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
    all.map(({ told }) => JSON.stringify(told)),
  ]);
}
