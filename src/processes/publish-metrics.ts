/** Publishes a role's metrics: to its supervisor, or on its own port when it runs alone. */
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { answerForMetrics } from './metrics-channel.ts';

export async function publishMetrics(metrics: Metrics, config: Config, log: Log): Promise<void> {
  if (config.metrics.port === undefined) return;
  if (process.send !== undefined) return answerForMetrics(metrics);
  const { MetricsListener } = await import('./metrics-listener.ts');
  await new MetricsListener({ metrics, log, config }).start();
}
