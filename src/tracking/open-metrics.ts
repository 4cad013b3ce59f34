/** Metrics of opens. */
import type { Metrics } from '../kit/runtime/metrics.ts';

export interface OpenMetrics {
  readonly recorded: (labels: { readonly machine: string }) => void;
  readonly dropped: (by: number) => void;
}

export function createOpenMetrics(metrics: Metrics, waiting: () => number): OpenMetrics {
  const count = metrics.counter('postrider_opens_recorded_total', 'Opens that became events.', ['machine']);
  const lose = metrics.counter(
    'postrider_opens_dropped_total',
    'Opens that were lost because the database was away for too long.',
  );
  metrics.gauge('postrider_opens_waiting', 'Opens that wait to be written.', waiting);
  return { recorded: (labels) => count(labels), dropped: (by) => lose({}, by) };
}
