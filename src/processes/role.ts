/** What every role does before its own work: open the database it was given, and see that it fits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Database, MAIN_CELL } from '../kit/database/database.ts';
import { isUnavailable } from '../kit/database/errors.ts';
import { checkSchema } from '../kit/database/migrate.ts';
import type { Config } from '../kit/runtime/config.ts';
import type { Log } from '../kit/runtime/log.ts';
import { type OpenCells, openCells } from './cells.ts';

const RETRY_MS = 500;

export function openRoleDatabase(role: string, config: Config, log: Log): OpenCells {
  const { preparedStatements } = config;
  const applicationName = `postrider-${role}`;
  const url = roleDatabaseUrl(role, config);
  // A supervisor has said so already.
  if (process.send === undefined) for (const warning of config.warnings) log.warn(warning);
  return openCells(config, url, { log, applicationName, preparedStatements });
}

/** The cell that a worker serves. Mail of others is other workers' affair. */
export function openWorkerDatabase(config: Config, log: Log) {
  const { cell = MAIN_CELL, cells } = config;
  const { db, close } = openRoleDatabase('worker', config, log);
  return {
    db: db.cells.find(({ name }) => name === cell)?.db ?? db,
    url: cells.find(({ name }) => name === cell)?.url ?? roleDatabaseUrl('worker', config),
    close,
  };
}

function roleDatabaseUrl(role: string, { databaseUrl }: Config): string {
  if (databaseUrl !== undefined) return databaseUrl;
  throw new Error(
    `DATABASE_URL is not set: the ${role} alone needs the PostgreSQL to use. \`npx postrider start\` brings its own.`,
  );
}

/** Where lists, statistics and events are read; nowhere of its own unless a setting says where. */
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

/** Cells whose schema does not fit are refused at once; those that are away are used when they are back. */
export async function checkCells(db: Database, log: Log): Promise<void> {
  for (const { name, db: cell } of db.cells) {
    await checkSchema(cell).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      log.warn(
        { err: error, cell: name },
        'a database does not answer yet; what needs it waits until it does',
      );
    });
  }
}

/** A database that is away is waited for; one that does not fit is refused at once. */
export async function waitForSchema(db: Database, log: Log): Promise<void> {
  for (;;) {
    try {
      return await checkSchema(db);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error }, 'the database does not answer yet, waiting for it');
      await sleep(RETRY_MS);
    }
  }
}
