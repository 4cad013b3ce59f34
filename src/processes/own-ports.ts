/** The ports that this installation itself listens on, which no tenant's webhook may use. */
import type { Config } from '../kit/runtime/config.ts';

const POSTGRESQL_PORT = 5432;

/** As far as the settings tell; the receiver of the sandbox finds its own and is added by the worker that runs it. */
export function ownPorts(config: Config): Set<number> {
  const { port, metrics, inbound, submission } = config;
  const ports = [
    port,
    metrics.apiPort,
    inbound.port,
    inbound.metricsPort,
    ...(submission.isOn ? [submission.port, submission.tlsPort] : []),
    submission.metricsPort,
    ...workerMetricsPorts(config),
    databasePortOf(config),
  ];
  return new Set(ports.filter((one): one is number => one !== undefined && one !== 0));
}

/** In the roles that is the embedded one, too: the supervisor gives them its address. */
export function databasePortOf({ databaseUrl, databasePort }: Config): number | undefined {
  if (databaseUrl === undefined) return databasePort;
  return Number(new URL(databaseUrl).port || POSTGRESQL_PORT);
}

/** Of several workers each is told its own port only, and does not know which of them it is. */
function workerMetricsPorts({ workerMetricsPort, workers }: Config): number[] {
  if (workerMetricsPort === undefined || workerMetricsPort === 0) return [];
  return Array.from({ length: 2 * workers - 1 }, (_, i) => workerMetricsPort - workers + 1 + i);
}
