/** Finds the installation of this environment and data folder, and opens its database. */
import { MovedAwayError, UnknownPlaceError, unconfiguredCells } from '../cells/directory.ts';
import { checkIdentities, OtherCellError } from '../cells/identity.ts';
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

const NOT_RUNNING = 'Postrider is not running here; start it with `npx postrider start`.';

/** The embedded PostgreSQL of this installation does not answer. */
export class NotRunningError extends CliError {
  constructor() {
    super(NOT_RUNNING);
  }
}
const NO_TABLES = 'The database has no tables yet. Run `npx postrider migrate` or `npx postrider start`.';

/**
 * Opens the databases of all cells, checks their identity and schema, and always closes them. Queries to an
 * unavailable cell fail later.
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
    `A database of this installation does not answer (${reason(error)}). \`npx postrider cell list\` shows which database.`,
  );
}

/** `evenUnnamed` is for commands that list where organizations are. */
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

/** For operations best done during a stop: starts the embedded PostgreSQL if it is not running. */
export function withDatabaseEvenStopped<T>(
  context: CommandContext,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  return withServerEvenStopped(context, (config) => withDatabase(config, work));
}

/** The same without a schema check. The resulting configuration refers to a running server. */
export async function withServerEvenStopped<T>(
  { config, json, say }: CommandContext,
  work: (config: Config) => Promise<T>,
): Promise<T> {
  const { dataDir, databasePort: port } = config;
  if (await answers(config)) return work(config);
  if ((await embeddedUrl(dataDir)) === undefined) throw new NotRunningError();
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

/** An external database is assumed to be available; queries report it if not. */
async function answers(config: Config): Promise<boolean> {
  if (config.databaseUrl !== undefined) return true;
  if ((await embeddedUrl(config.dataDir)) === undefined) return false;
  return refuseUnreachable(config).then(
    () => true,
    () => false,
  );
}

/** For commands whose later errors may be those of a file, too. The schema may have any version. */
export async function refuseUnreachable(config: Config): Promise<void> {
  const { db, close } = await openDatabase(config);
  try {
    await schemaVersions(db);
  } catch (error) {
    throw explainError(error, config);
  } finally {
    await close();
  }
}

/** Never creates a key: other processes would not have it, and could not decrypt values. */
export async function openKeyRing(db: Database, config: Config): Promise<KeyRing> {
  if (!hasKeys(config)) {
    throw new CliError(
      'Set POSTRIDER_SECRET_KEY to the key that the installation uses, or set POSTRIDER_DATA_DIR to its data folder.',
    );
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
  if (url === undefined) throw new NotRunningError();
  return url;
}

/** Errors, such as missing permissions on the folder, are passed on to the user. */
async function embeddedUrl(dataDir: string): Promise<string | undefined> {
  return embeddedPostgresUrl(dataDir).catch((error: unknown) => {
    throw new CliError(reason(error));
  });
}

/** For long or locking operations, which a pooler may not support. */
export async function directUrl(config: Config): Promise<string> {
  return config.databaseDirectUrl ?? databaseUrl(config);
}

/** Explains a failure of the first query to the user. */
export function explainError(error: unknown, config: Config): Error {
  if (error instanceof SchemaError || error instanceof OtherCellError) return new CliError(error.message);
  if (isUndefinedTable(error)) return new CliError(NO_TABLES);
  // The port in the data folder may belong to another process by now, so any connection error means that the
  // database is not running.
  if (config.databaseUrl === undefined) return new NotRunningError();
  return new CliError(
    `The database in DATABASE_URL cannot be used: ${reason(error)}. Check that it runs and that the address is right.`,
  );
}

/** The error from trying several addresses of a host has a code but no message. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : error.message;
}
