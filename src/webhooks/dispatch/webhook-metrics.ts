/** Webhook metrics. None has a label per endpoint: there may be thousands, and their owners are private. */
import type { Sql } from '../../database/sql.ts';
import { kept, type Metrics } from '../../runtime/metrics.ts';
import { countDisabledEndpoints } from '../endpoints/store.ts';
import { webhookBacklog } from '../queue.ts';
import type { Attempted } from './record.ts';

const LATENCY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Counting the backlog reads all of it, so the result is cached for this time. */
const KEEP_MS = 15_000;
const OUTCOMES = { delivered: 'delivered', pending: 'retried', failed: 'failed' } as const;

/** Registers the metrics. Returns the function to call after each attempt. */
export function createWebhookMetrics(
  metrics: Metrics,
  db: Sql,
  nowMs: () => number,
): (one: Attempted) => void {
  const attempts = metrics.counter(
    'postrider_webhook_attempts_total',
    'Webhook attempts by outcome: delivered, retried (will be retried), failed (given up).',
    ['outcome'],
  );
  const latency = metrics.histogram(
    'postrider_webhook_seconds',
    'Response time of webhook endpoints.',
    LATENCY_SECONDS,
  );
  registerBacklog(metrics, db, nowMs);
  return ({ state, asked, attempt }) => {
    attempts({ outcome: OUTCOMES[state] });
    if (asked) latency(attempt.latency_ms / 1000);
  };
}

function registerBacklog(metrics: Metrics, db: Sql, nowMs: () => number): void {
  const read = kept(KEEP_MS, nowMs, () => webhookBacklog(db).catch(() => null));
  metrics.gauges(
    'postrider_webhook_deliveries',
    'Webhook deliveries in the queue by state: scheduled, due, claimed by a worker.',
    ['state'],
    async () => {
      const backlog = await read();
      if (backlog === null) return [];
      return (['waiting', 'due', 'claimed'] as const).map((state) => ({
        labels: { state },
        value: backlog[state],
      }));
    },
  );
  metrics.gauge(
    'postrider_webhook_oldest_due_seconds',
    'Time that the oldest due webhook delivery has been waiting.',
    async () => (await read())?.oldest_due_seconds ?? Number.NaN,
  );
  metrics.gauge(
    'postrider_webhooks_disabled',
    'Webhooks that were disabled because they answered 410 or failed for days.',
    () => countDisabledEndpoints(db).catch(() => Number.NaN),
  );
}
