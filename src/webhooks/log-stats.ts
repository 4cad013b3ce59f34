/** An endpoint's health, computed from its newest events only, so that the cost is bounded. */
import { type Sql, sql } from '../database/sql.ts';
import type { EndpointName } from './queue.ts';

/** How many of the newest events are read. */
export const EVENTS_JUDGED = 1_000;

export interface WebhookStatsRow {
  events: number;
  delivered: number;
  pending: number;
  failed: number;
  since: Date | null;
  calls: number;
  calls_succeeded: number;
  p50_ms: number | null;
  p95_ms: number | null;
  next_attempt_at: Date | null;
}

const stats = sql<WebhookStatsRow>(
  'webhook_deliveries.stats',
  `WITH newest AS MATERIALIZED (
     SELECT state, attempts, created_at FROM webhook_deliveries
     WHERE organization_id = $1 AND endpoint_id = $2 ORDER BY event_id DESC LIMIT ${EVENTS_JUDGED}
   ), calls AS (
     SELECT (a -> 'error') = 'null' AS succeeded, (a ->> 'latency_ms')::int AS ms, a -> 'status' <> 'null' AS answered
     FROM newest, jsonb_array_elements(attempts) AS a
   )
   SELECT events, delivered, pending, failed, since, calls, calls_succeeded, p50_ms, p95_ms,
          (SELECT min(due_at) FROM webhook_deliveries
           WHERE organization_id = $1 AND endpoint_id = $2 AND state = 'pending' AND worker IS NULL) AS next_attempt_at
   FROM (SELECT count(*) AS events, min(created_at) AS since,
                count(*) FILTER (WHERE state = 'delivered') AS delivered,
                count(*) FILTER (WHERE state = 'pending') AS pending,
                count(*) FILTER (WHERE state = 'failed') AS failed
         FROM newest) AS of_events,
        (SELECT count(*) AS calls, count(*) FILTER (WHERE succeeded) AS calls_succeeded,
                percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) FILTER (WHERE answered) AS p50_ms,
                percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) FILTER (WHERE answered) AS p95_ms
         FROM calls) AS of_calls`,
  { home: 'cell', organization: '$1' },
);

export function webhookStats(
  db: Sql,
  { organizationId, endpointId }: EndpointName,
): Promise<WebhookStatsRow> {
  return db.one(stats, [organizationId, endpointId]);
}
