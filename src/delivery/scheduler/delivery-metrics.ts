/** Metrics of delivery, by provider: few labels, however many domains there are. */
import type { Sql } from '../../database/sql.ts';
import { kept, type Metrics } from '../../runtime/metrics.ts';
import type { Attempt } from '../policy/decide.ts';
import { queueBySite, type SiteQueue } from './queue-view.ts';

const LATENCY_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** The result of a read is kept for this long, because each read covers the whole queue. */
const KEEP_MS = 15_000;

type OnAttempt = (provider: string, attempt: Attempt, tookMs: number) => void;

/** Registers the metrics. Call the returned function after each attempt. */
export function createDeliveryMetrics(metrics: Metrics, db: Sql, nowMs: () => number): OnAttempt {
  const attempts = metrics.counter(
    'postrider_delivery_attempts_total',
    'Delivery attempts by provider, outcome and reason.',
    ['provider', 'outcome', 'reason'],
  );
  const latency = metrics.histogram(
    'postrider_delivery_seconds',
    'Time that an attempt used a connection, or waited for a connection to open.',
    LATENCY_SECONDS,
    ['provider'],
  );
  registerQueue(metrics, db, nowMs);
  return (provider, { outcome }, tookMs) => {
    attempts({ provider, outcome: outcome.kind, reason: outcome.reason });
    latency(tookMs / 1000, { provider });
  };
}

function registerQueue(metrics: Metrics, db: Sql, nowMs: () => number): void {
  const read = kept(KEEP_MS, nowMs, () => queueBySite([db], nowMs()).catch(() => []));
  const depths = async (state: 'waiting' | 'due' | 'claimed') =>
    byProvider(await read(), (site) => site[state]).map(({ labels, value }) => ({
      labels: { ...labels, state },
      value,
    }));
  metrics.gauges(
    'postrider_queue_deliveries',
    'Deliveries in the queue by provider and state: scheduled, due, claimed by a worker.',
    ['provider', 'state'],
    async () => [...(await depths('waiting')), ...(await depths('due')), ...(await depths('claimed'))],
  );
  metrics.gauges(
    'postrider_queue_oldest_due_seconds',
    'Time that the oldest due delivery has been waiting, by provider.',
    ['provider'],
    async () => byProvider(await read(), (site) => site.oldestDueSeconds ?? 0, Math.max),
  );
  metrics.gauges(
    'postrider_sites_delayed',
    'Sites that are paused, blocked, probed or sent to slowly, by provider.',
    ['provider', 'state'],
    async () => {
      const counts = new Map<string, number>();
      for (const { provider, state } of await read()) {
        const key = `${provider || 'other'} ${state}`;
        if (state !== 'open') counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return [...counts].map(([key, value]) => {
        const [provider = '', state = ''] = key.split(' ');
        return { labels: { provider, state }, value };
      });
    },
  );
}

function byProvider(
  sites: readonly SiteQueue[],
  value: (site: SiteQueue) => number,
  join: (a: number, b: number) => number = (a, b) => a + b,
): { labels: { provider: string }; value: number }[] {
  const values = new Map<string, number>();
  for (const site of sites) {
    const provider = site.provider || 'other';
    values.set(provider, join(values.get(provider) ?? 0, value(site)));
  }
  return [...values].map(([provider, joined]) => ({ labels: { provider }, value: joined }));
}
