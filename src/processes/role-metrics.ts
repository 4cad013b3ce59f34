/** The numbers of a role that has no HTTP of its own, where they are wanted. */
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { publishMetrics } from './publish-metrics.ts';

/** Loaded only where they are wanted: a start should not wait for what it does not need. */
export async function serveMetrics(role: string, config: Config, log: Log): Promise<Metrics | undefined> {
  if (config.metrics.port === undefined) return undefined;
  const { createMetrics } = await import('../runtime/metrics.ts');
  const metrics = createMetrics(role);
  await publishMetrics(metrics, config, log);
  return metrics;
}
