/** The first step of every role: opens its database. */
import { Database, MAIN_CELL } from '../database/database.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { RefusedStart } from '../runtime/refused-start.ts';
import { type OpenCells, openCells } from './cells.ts';

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
