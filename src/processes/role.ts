/** What every role does before its own work: open the database it was given, and see that it fits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkIdentities } from '../cells/identity.ts';
import { unnamedCells } from '../cells/unnamed.ts';
import { type Cell, Database, MAIN_CELL } from '../kit/database/database.ts';
import { isUnavailable, SchemaError } from '../kit/database/errors.ts';
import { checkSchema } from '../kit/database/migrate.ts';
import type { Config } from '../kit/runtime/config.ts';
import type { Log } from '../kit/runtime/log.ts';
import { type OpenCells, openCells } from './cells.ts';

const RETRY_MS = 500;
const LOOK_AGAIN_MS = 2_000;

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
    cells: db.cells.filter(({ name }) => name === cell || name === MAIN_CELL),
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

/**
 * Cells whose schema does not fit, or that are somebody else's, are refused at once. Those that are away are used when they are
 * back, and looked at then: `giveUp` is told what is wrong with them.
 */
export async function checkCells(db: Database, log: Log, giveUp: (error: unknown) => void): Promise<void> {
  const away = await awayAmong(db.cells, log);
  if (!away.includes(MAIN_CELL)) await complainOfUnnamed(db, log);
  if (away.length > 0) void lookAgain(db, log).catch(giveUp);
}

/** For a worker, which has waited for its own: what else it uses is control. */
export function refuseOtherCells(cells: readonly Cell[]): Promise<void> {
  return checkIdentities(cells, () => undefined);
}

async function complainOfUnnamed(db: Database, log: Log): Promise<void> {
  const words = await unnamedCells(db);
  if (words !== null) log.error(words);
}

async function awayAmong(cells: readonly Cell[], log: Log): Promise<readonly string[]> {
  const away = new Set<string>();
  const note = ({ name }: Cell, error: unknown) => {
    if (!away.has(name))
      log.warn(
        { err: error, cell: name },
        'a database does not answer yet; what needs it waits until it does',
      );
    away.add(name);
  };
  for (const cell of cells) {
    await checkSchema(cell.db).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      note(cell, error);
    });
  }
  await checkIdentities(
    cells.filter(({ name }) => name === MAIN_CELL || !away.has(name)),
    note,
  );
  return [...away];
}

/** One that was away while others were brought up to date is brought up to date when it is back. */
async function lookAgain(db: Database, log: Log): Promise<void> {
  const silent = log.child({}, { level: 'silent' });
  for (;;) {
    await sleep(LOOK_AGAIN_MS, null, { ref: false });
    try {
      const away = await awayAmong(db.cells, silent);
      if (!away.includes(MAIN_CELL)) await unnamedCells(db);
      if (away.length === 0) return;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
    }
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
