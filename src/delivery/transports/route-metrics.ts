/** Metrics of source addresses. */
import type { Metrics } from '../../runtime/metrics.ts';
import type { LocalSources } from './local-sources.ts';

export function registerRouteMetrics(metrics: Metrics, sources: Pick<LocalSources, 'all'>): void {
  metrics.gauges(
    'postrider_source_present',
    'Addresses that transports send from: 1 where the address is on the machine of this worker, 0 where it is not.',
    ['source'],
    async () => [...sources.all].map(([source, isHere]) => ({ labels: { source }, value: isHere ? 1 : 0 })),
  );
}
