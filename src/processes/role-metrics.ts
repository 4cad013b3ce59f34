/** Metrics of a role without its own HTTP server, if enabled. */
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { publishMetrics } from './publish-metrics.ts';

/** Loaded on demand, to keep the start short. */
export async function serveMetrics(role: string, config: Config, log: Log): Promise<Metrics | undefined> {
  if (config.metrics.port === undefined) return undefined;
  const { createMetrics } = await import('../runtime/metrics.ts');
  const metrics = createMetrics(role);
  await publishMetrics(metrics, config, log);
  return metrics;
}
