/** The first step of every role: opens its database. */
import { Database, MAIN_CELL } from '../database/database.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { RefusedStart } from '../runtime/refused-start.ts';
import type { Tracer } from '../runtime/tracing.ts';
import { type OpenCells, openCells } from './cells.ts';
import { answerForMetrics } from './metrics-channel.ts';
import { packageVersion } from './package-version.ts';

export function openRoleDatabase(role: string, config: Config, log: Log): OpenCells {
  const { preparedStatements } = config;
  const applicationName = `postrider-${role}`;
  const url = roleDatabaseUrl(role, config);
  // The supervisor has already printed the warnings.
  if (process.send === undefined) for (const warning of config.warnings) log.warn(warning);
  return openCells(config, url, { log, applicationName, preparedStatements });
}

/** The cell that a worker serves; other workers serve the other cells. */
export function openWorkerDatabase(config: Config, log: Log) {
  const { cell = MAIN_CELL, cells } = config;
  const { db, close } = openRoleDatabase('worker', config, log);
  return {
    cells: db.cells.filter(({ name }) => name === cell || name === MAIN_CELL),
    db: db.cells.find(({ name }) => name === cell)?.db ?? db,
    url: cells.find(({ name }) => name === cell)?.url ?? roleDatabaseUrl('worker', config),
    close,
  };
}

function roleDatabaseUrl(role: string, { databaseUrl }: Config): string {
  if (databaseUrl !== undefined) return databaseUrl;
  throw new RefusedStart(
    `DATABASE_URL is not set: the ${role} alone needs the PostgreSQL to use. \`npx postrider start\` brings its own.`,
  );
}

/** The standby for lists, statistics and events; undefined unless configured. */
export function openStandby(config: Config, log: Log): Database | undefined {
  const { databaseReadUrl: url, preparedStatements } = config;
  if (url === undefined) return undefined;
  return new Database({
    url,
    wanted: 'standby',
    log,
    applicationName: 'postrider-reads',
    preparedStatements,
  });
}

/** Loaded on demand, to save start time and memory. */
export async function startTracing(role: string, { tracing }: Config, log: Log): Promise<Tracer | undefined> {
  if (tracing === undefined) return undefined;
  const { createOtlpTracer } = await import('../runtime/otlp-tracer.ts');
  return createOtlpTracer({ config: tracing, role, version: packageVersion(), log });
}

/** Loaded on demand, to keep the start short. */
export async function serveMetrics(role: string, config: Config, log: Log): Promise<Metrics | undefined> {
  if (config.metrics.port === undefined) return undefined;
  const { createMetrics } = await import('../runtime/metrics.ts');
  const metrics = createMetrics(role);
  await publishMetrics(metrics, config, log);
  return metrics;
}

/** Publishes a role's metrics: to its supervisor, or on its own port when it runs alone. */
export async function publishMetrics(metrics: Metrics, config: Config, log: Log): Promise<void> {
  if (config.metrics.port === undefined) return;
  if (process.send !== undefined) return answerForMetrics(metrics);
  const { MetricsListener } = await import('./metrics-listener.ts');
  await new MetricsListener({ metrics, log, config }).start();
}
