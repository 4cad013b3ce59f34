/**
 * The queue of webhook deliveries. With `append.ts`, which adds them, and `log.ts`, the one writer of `webhook_deliveries`.
 *
 * | state   | in the table                        |                                                     |
 * | ------- | ----------------------------------- | --------------------------------------------------- |
 * | waiting | `pending`, `worker IS NULL`         | due at `due_at`: now, or at the next attempt        |
 * | claimed | `pending`, `worker = epoch`         | for as long as that worker's heartbeat is fresh     |
 * | ended   | `delivered` or `failed`             | until replayed, or deleted after 30 days            |
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface EndpointName {
  readonly organizationId: string;
  readonly endpointId: string;
}

/** Identifies a delivery. */
export interface WebhookKey extends EndpointName {
  readonly eventId: string;
}

export interface WebhookClaim extends WebhookKey {
  /** Null for a test, and for an event about a domain. */
  readonly emailId: string | null;
  readonly eventType: string;
  /** The number of earlier attempts in this round. */
  readonly tries: number;
  readonly createdAt: Date;
  /** The payload, if the event is stored nowhere else. */
  readonly payload: Readonly<Record<string, unknown>> | null;
}

/** One attempt as stored, and as the API shows it. */
export interface WebhookAttempt {
  readonly at: string;
  readonly status: number | null;
  readonly latency_ms: number;
  readonly response: string | null;
  /** Missing in rows that predate this field. */
  readonly response_headers?: Readonly<Record<string, string>> | null;
  readonly error: string | null;
  readonly next_attempt_at: string | null;
}

export interface WebhookSettlement {
  readonly claim: WebhookClaim;
  readonly state: DeliveryState;
  /** When the delivery is pending again. */
  readonly dueAtMs: number | null;
  readonly attempt: WebhookAttempt;
}

/** The further deliveries that an endpoint may get; endpoints that are not listed get `usual`. */
export interface EndpointCapacity {
  readonly endpointId: string;
  readonly capacity: number;
}

/** SQL: whether the row `d` is the delivery that a row of `other` identifies. */
function isWebhook(other: string): string {
  return `d.organization_id = ${other}.organization_id AND d.endpoint_id = ${other}.endpoint_id
     AND d.event_id = ${other}.event_id`;
}

/**
 * A skip scan of the index finds endpoints with waiting deliveries, one seek each. Each endpoint then gets up to its capacity, and
 * the first delivery of every endpoint comes before the second of any. Events of one transaction are due at the same time, so
 * the id orders them: otherwise a limit could take a later event of an email and leave an earlier one.
 */
const claimDue = sql<WebhookClaim>(
  'webhook_deliveries.claim',
  `WITH RECURSIVE waiting AS (
     (SELECT endpoint_id AS id FROM webhook_deliveries WHERE state = 'pending' AND worker IS NULL
      ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT endpoint_id FROM webhook_deliveries
             WHERE state = 'pending' AND worker IS NULL AND endpoint_id > waiting.id ORDER BY endpoint_id LIMIT 1)
     FROM waiting WHERE waiting.id IS NOT NULL
   ), due AS MATERIALIZED (
     SELECT one.organization_id, one.endpoint_id, one.event_id, one.turn
     FROM waiting
     LEFT JOIN unnest($2::text[], $3::int[]) AS known(id, room) ON known.id = waiting.id
     CROSS JOIN LATERAL (
       SELECT organization_id, endpoint_id, event_id, row_number() OVER (ORDER BY due_at, event_id) AS turn
       FROM (SELECT organization_id, endpoint_id, event_id, due_at FROM webhook_deliveries
             WHERE state = 'pending' AND worker IS NULL AND endpoint_id = waiting.id AND due_at <= now()
               AND ${notMigrating()}
             ORDER BY due_at, event_id
             LIMIT coalesce(known.room, $4::int)) AS first
     ) AS one
     WHERE waiting.id IS NOT NULL
     ORDER BY one.turn
     LIMIT $5
   ), picked AS (
     SELECT d.organization_id, d.endpoint_id, d.event_id FROM due
     JOIN webhook_deliveries d ON ${isWebhook('due')}
     WHERE d.state = 'pending' AND d.worker IS NULL
     FOR UPDATE OF d SKIP LOCKED
   ), claimed AS (
     UPDATE webhook_deliveries d SET worker = $1
     FROM picked WHERE ${isWebhook('picked')}
     RETURNING d.*
   )
   SELECT endpoint_id AS "endpointId", event_id AS "eventId", organization_id AS "organizationId",
          email_id AS "emailId", event_type AS "eventType", tries, created_at AS "createdAt", payload
   FROM claimed ORDER BY due_at, event_id`,
  { home: 'cell' },
);

const settleClaimed = sql(
  'webhook_deliveries.settle',
  `UPDATE webhook_deliveries d
   SET state = s.state, worker = NULL, tries = d.tries + 1, attempts = d.attempts || s.attempt,
       due_at = coalesce(to_timestamp(s.due / 1000.0), d.due_at)
   FROM unnest($2::text[], $3::text[], $4::uuid[], $5::text[], $6::float8[], $7::jsonb[], $8::int[])
        AS s(organization_id, endpoint_id, event_id, state, due, attempt, tries)
   WHERE ${isWebhook('s')} AND d.worker = $1 AND d.tries = s.tries`,
  { home: 'cell', organization: '$2' },
);

/** The log keeps earlier attempts, which used another format. */
const drop = sql(
  'webhook_deliveries.drop',
  `WITH done AS MATERIALIZED (
     SELECT d.organization_id, d.endpoint_id, d.event_id, d.attempts = '[]' AS is_new
     FROM unnest($2::text[], $3::text[], $4::uuid[]) AS asked(organization_id, endpoint_id, event_id)
     JOIN webhook_deliveries d ON ${isWebhook('asked')} AND d.worker = $1
   ), removed AS (
     DELETE FROM webhook_deliveries d USING done WHERE ${isWebhook('done')} AND done.is_new
   )
   UPDATE webhook_deliveries d SET state = 'delivered', worker = NULL
   FROM done WHERE ${isWebhook('done')} AND NOT done.is_new`,
  { home: 'cell', organization: '$2' },
);

const releaseAll = sql(
  'webhook_deliveries.release',
  'UPDATE webhook_deliveries SET worker = NULL WHERE worker = $1',
  { home: 'cell' },
);

const moveDue = sql(
  'webhook_deliveries.set_back',
  `UPDATE webhook_deliveries
   SET due_at = greatest(now(), CASE WHEN tries > 0
     THEN (due_at AT TIME ZONE 'UTC' - $1 * interval '1 millisecond') AT TIME ZONE 'UTC' END)
   WHERE state = 'pending' AND worker IS NULL AND due_at > now()`,
  { home: 'cell' },
);

const releaseOrphaned = sql(
  'webhook_deliveries.release_orphaned',
  `UPDATE webhook_deliveries d SET worker = NULL
   WHERE d.worker = $1 AND NOT EXISTS (
     SELECT FROM unnest($2::text[], $3::text[], $4::uuid[]) AS held(organization_id, endpoint_id, event_id)
     WHERE ${isWebhook('held')})`,
  { home: 'cell', organization: '$2' },
);

interface WebhookBacklog {
  readonly waiting: number;
  readonly due: number;
  readonly claimed: number;
  readonly oldest_due_seconds: number;
}

const countPending = sql<WebhookBacklog>(
  'webhook_deliveries.backlog',
  `SELECT count(*) FILTER (WHERE worker IS NULL AND due_at > now()) AS waiting,
          count(*) FILTER (WHERE worker IS NULL AND due_at <= now()) AS due,
          count(*) FILTER (WHERE worker IS NOT NULL) AS claimed,
          greatest(0, coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE worker IS NULL)), 0))::float8
            AS oldest_due_seconds
   FROM webhook_deliveries WHERE state = 'pending'`,
  { home: 'cell' },
);

const insertOne = sql(
  'webhook_deliveries.insert',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at)
   VALUES ($1, $2, $3, $4, now(), $5)`,
  { home: 'cell', organization: '$3' },
);

/** After the database's clock was set back by this much, due deliveries stay due. */
export async function setWebhooksBack(db: Sql, byMs: number): Promise<void> {
  await db.exec(moveDue, [byMs]);
}

/** Claims due deliveries for the worker with this epoch, fairly among endpoints, in the order in which to start them. */
export function claimWebhooks(
  db: Sql,
  epoch: number,
  capacities: readonly EndpointCapacity[],
  { usual, limit }: { readonly usual: number; readonly limit: number },
): Promise<WebhookClaim[]> {
  return db.many(claimDue, [
    epoch,
    capacities.map((one) => one.endpointId),
    capacities.map((one) => one.capacity),
    usual,
    limit,
  ]);
}

/** Deliveries that this epoch no longer owns stay unchanged. Returns how many it owned. */
export async function settleWebhooks(
  db: Sql,
  epoch: number,
  settlements: readonly WebhookSettlement[],
): Promise<number> {
  return db.exec(settleClaimed, [
    epoch,
    ...keyColumns(settlements.map((one) => one.claim)),
    settlements.map((one) => one.state),
    settlements.map((one) => one.dueAtMs),
    settlements.map((one) => JSON.stringify([one.attempt])),
    settlements.map((one) => one.claim.tries),
  ]);
}

/** Ends claims of this epoch that are not to be sent, as if they had never been enqueued. */
export async function dropWebhooks(db: Sql, epoch: number, claims: readonly WebhookClaim[]): Promise<void> {
  await db.exec(drop, [epoch, ...keyColumns(claims)]);
}

/** Releases all claims of this epoch. Returns how many. */
export function releaseWebhooks(db: Sql, epoch: number): Promise<number> {
  return db.exec(releaseAll, [epoch]);
}

/** Releases claims of this epoch that are not among `held`, because the answer to a claim was lost. Returns how many. */
export function releaseOrphanedWebhooks(
  db: Sql,
  epoch: number,
  held: readonly WebhookKey[],
): Promise<number> {
  return db.exec(releaseOrphaned, [epoch, ...keyColumns(held)]);
}

function keyColumns(keys: readonly WebhookKey[]): [string[], string[], string[]] {
  return [
    keys.map((one) => one.organizationId),
    keys.map((one) => one.endpointId),
    keys.map((one) => one.eventId),
  ];
}

/** Pending and claimed deliveries, for metrics. */
export function webhookBacklog(db: Sql): Promise<WebhookBacklog> {
  return db.one(countPending);
}

/** Adds a delivery that concerns no email: a test. */
export async function addWebhookDelivery(
  db: Sql,
  one: WebhookKey & { readonly eventType: string; readonly createdAt: Date },
): Promise<void> {
  await db.exec(insertOne, [one.endpointId, one.eventId, one.organizationId, one.eventType, one.createdAt]);
}
