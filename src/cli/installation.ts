/** Finds the installation that belongs to this environment and data folder, and opens its database. */
import { MovedAwayError, UnknownPlaceError } from '../cells/directory.ts';
import { checkIdentities, OtherCellError } from '../cells/identity.ts';
import { unconfiguredCells } from '../cells/unconfigured-cells.ts';
import { type Cell, type Database, MAIN_CELL } from '../database/database.ts';
import { embeddedPostgresUrl } from '../database/embedded/cluster-home.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { isUnavailable, isUndefinedTable, SchemaError } from '../database/errors.ts';
import { checkSchema, schemaVersions } from '../database/migrate.ts';
import { syncTurns } from '../operations/secret-keys/rotate.ts';
import { type OpenCells, openCells } from '../processes/cells.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { hasKeys, loadKeyRing } from '../runtime/key-store.ts';
import { createLog } from '../runtime/log.ts';
import { CliError, type CommandContext } from './command.ts';

export const NOT_RUNNING = 'Postrider is not running here; start it with `npx postrider start`.';
const NO_TABLES = 'The database has no tables yet. Run `npx postrider migrate` or `npx postrider start`.';

/**
 * Opens the database, or all where there are several cells, checks that they are what this code knows, and closes them whatever
 * happens. A cell that is away is noticed by whoever needs it.
 */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  { evenUnnamed = false }: { readonly evenUnnamed?: boolean } = {},
): Promise<T> {
  const { db, directory, close } = await openDatabase(config);
  try {
    await refuseUnfit(db, evenUnnamed).catch((error) => {
      throw explainError(error, config);
    });
    await directory?.start();
    return await work(db).catch((error) => {
      throw config.cells.length > 0 && isUnavailable(error) ? cellAway(error) : error;
    });
  } finally {
    await close();
  }
}

function cellAway(error: unknown): CliError {
  if (error instanceof UnknownPlaceError || error instanceof MovedAwayError)
    return new CliError(error.message);
  return new CliError(
    `A database of this installation does not answer (${reason(error)}). \`npx postrider cell list\` shows which.`,
  );
}

/** `evenUnnamed`: for what says where everybody is. */
async function refuseUnfit(db: Database, evenUnnamed: boolean): Promise<void> {
  const fits = ({ name, db: cell }: Cell) =>
    checkSchema(cell).catch((error: unknown) => {
      if (name === MAIN_CELL) throw error;
      if (error instanceof SchemaError) throw new SchemaError(`The cell ${name}: ${error.message}`);
      if (!isUnavailable(error)) throw error;
      return name;
    });
  const away = await Promise.all(db.cells.map(fits));
  await checkIdentities(
    db.cells.filter(({ name }) => !away.includes(name)),
    () => undefined,
  );
  if (!evenUnnamed) await unconfiguredCells(db);
}

/** For what is done best while nothing runs: the embedded PostgreSQL is started for it, where it does not run. */
export function withDatabaseEvenStopped<T>(
  world: CommandContext,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  return withServerEvenStopped(world, (config) => withDatabase(config, work));
}

/** The same for what asks nothing of the schema. The configuration it gives names a server that runs. */
export async function withServerEvenStopped<T>(
  { config, json, say }: CommandContext,
  work: (config: Config) => Promise<T>,
): Promise<T> {
  const { dataDir, databasePort: port } = config;
  if (await answers(config)) return work(config);
  if ((await embeddedUrl(dataDir)) === undefined) throw new CliError(NOT_RUNNING);
  const server = await startEmbeddedPostgres({ dataDir, port, log: json ? () => {} : say }).catch(
    (error: Error) => {
      throw new CliError(`${NOT_RUNNING} Its PostgreSQL cannot be started for this alone: ${error.message}`);
    },
  );
  try {
    return await work({ ...config, databaseUrl: server.url });
  } finally {
    await server.stop();
  }
}

/** A database that we cannot start is taken to be there: whoever asks it is told why it is not. */
async function answers(config: Config): Promise<boolean> {
  if (config.databaseUrl !== undefined) return true;
  if ((await embeddedUrl(config.dataDir)) === undefined) return false;
  const { db, close } = await openDatabase(config);
  try {
    await schemaVersions(db);
    return true;
  } catch {
    return false;
  } finally {
    await close();
  }
}

/** A key made here would be one that the processes elsewhere do not have, and nothing could be opened by them. */
export async function openKeyRing(db: Database, config: Config): Promise<KeyRing> {
  if (!hasKeys(config)) {
    throw new CliError('Set POSTRIDER_SECRET_KEY to the one the installation uses, or name its data folder.');
  }
  const ring = readKeyRing(config);
  await syncTurns(db, ring);
  return ring;
}

function readKeyRing(config: Config): KeyRing {
  try {
    return loadKeyRing(config);
  } catch (error) {
    throw new CliError(`The secret key cannot be read: ${reason(error)}`);
  }
}

export async function openDatabase(config: Config): Promise<OpenCells> {
  return openCells(config, await databaseUrl(config), {
    log: createLog('cli', 'silent'),
    applicationName: 'postrider-cli',
    maxConnections: 2,
    preparedStatements: false,
  });
}

export async function databaseUrl(config: Config): Promise<string> {
  const url = config.databaseUrl ?? (await embeddedUrl(config.dataDir));
  if (url === undefined) throw new CliError(NOT_RUNNING);
  return url;
}

/** What keeps it from being read, such as another account's folder, is for the person to know. */
async function embeddedUrl(dataDir: string): Promise<string | undefined> {
  return embeddedPostgresUrl(dataDir).catch((error: unknown) => {
    throw new CliError(reason(error));
  });
}

/** For what takes long or locks, which a pooler may not let it. */
export async function directUrl(config: Config): Promise<string> {
  return config.databaseDirectUrl ?? databaseUrl(config);
}

/** What the first query's failure means to the person who typed the command. */
export function explainError(error: unknown, config: Config): Error {
  if (error instanceof SchemaError || error instanceof OtherCellError) return new CliError(error.message);
  if (isUndefinedTable(error)) return new CliError(NO_TABLES);
  // The port in the data folder may long be someone else's, so any refusal means that ours is not there.
  if (config.databaseUrl === undefined) return new CliError(NOT_RUNNING);
  return new CliError(
    `The database in DATABASE_URL cannot be used: ${reason(error)}. Check that it runs and that the address is right.`,
  );
}

/** Trying several addresses of a host gives an error without words, only with a code. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : error.message;
}
