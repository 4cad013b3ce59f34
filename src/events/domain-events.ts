/**
 * Webhook events about sending domains. They are not part of the log of deliveries: the webhook message itself is enqueued for
 * subscribed endpoints, in the transaction that changed the domain.
 */
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7 } from '../runtime/ids.ts';

export const DOMAIN_EVENT_TYPES = [
  'domain.verified',
  'domain.failing',
  'domain.recovered',
  'domain.unverified',
] as const;

export type DomainEventType = (typeof DOMAIN_EVENT_TYPES)[number];

interface RecordProblem {
  readonly record: string;
  readonly name: string;
  readonly expected: string;
  readonly message: string;
}

/** The payload besides the event's id, type and time. */
export interface DomainEventData {
  readonly domain_id: string;
  readonly domain: string;
  readonly is_verified: boolean;
  /** When a domain whose records are wrong stops sending. */
  readonly stops_sending_at: string | null;
  readonly problems: readonly RecordProblem[];
}

const insert = sql(
  'webhook_deliveries.append_domain_event',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at, payload)
   SELECT w.id, $1, $2, $3, clock_timestamp(), $4, $5::jsonb FROM webhook_endpoints w
   WHERE w.organization_id = $2 AND w.enabled AND (w.event_types IS NULL OR $3 = ANY (w.event_types))`,
  { home: 'cell', organization: '$2' },
);

export async function appendDomainEvent(
  tx: Sql,
  event: {
    readonly organizationId: string;
    readonly type: DomainEventType;
    readonly atMs: number;
    readonly data: DomainEventData;
  },
): Promise<void> {
  const { organizationId, type, atMs, data } = event;
  await tx.exec(insert, [uuidv7(atMs), organizationId, type, new Date(atMs), JSON.stringify(data)]);
}
