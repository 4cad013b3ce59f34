/** The numbers of a role that serves nothing else over HTTP, where they are wanted. */
import type { Config } from '../kit/runtime/config.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { Metrics } from '../kit/runtime/metrics.ts';

/** Loaded only where they are wanted: a start should not wait for what it does not need. */
export async function serveMetrics(
  role: string,
  port: number | undefined,
  config: Config,
  log: Log,
): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const { createMetrics } = await import('../kit/runtime/metrics.ts');
  const { MetricsListener } = await import('./metrics-listener.ts');
  const metrics = createMetrics(role);
  await new MetricsListener({ metrics, log, role, config, port }).start();
  return metrics;
}
