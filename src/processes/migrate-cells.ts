/**
 * Migrates every database of an installation and writes its identity. The first must answer. Other
 * unavailable cells are reported: only their own organizations are affected.
 */
import pg from 'pg';
import {
  type CellIdentity,
  claimCell,
  claimMain,
  OtherCellError,
  refuseOtherCell,
} from '../cells/identity.ts';
import { Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { writableUrl } from '../database/host-finder.ts';
import { type MigrateOptions, migrate } from '../database/migrate.ts';
import { type CellConfig, schemaOf } from '../runtime/cells-config.ts';
import type { Config } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';

/** A cell that answers but cannot be used. */
export class CellError extends Error {}

export interface MigratedCell {
  readonly cell: string;
  readonly applied: readonly string[];
  /** Why the cell was not migrated; null when it was. */
  readonly away: string | null;
}

/** `url` is that of the first cell, bypassing any pooler. */
export async function migrateCells(
  { cells }: Pick<Config, 'cells'>,
  url: string,
  options: MigrateOptions = {},
): Promise<readonly MigratedCell[]> {
  const applied = await migrate(url, options);
  const main = await withOwnDatabase(url, claimMain);
  const done: MigratedCell[] = [{ cell: MAIN_CELL, applied, away: null }];
  for (const cell of cells) done.push(await migrateCell(cell, main, options));
  return done;
}

/** Migrates a cell that did not answer before. */
export async function migrateAgain(
  { cells }: Pick<Config, 'cells'>,
  url: string,
  name: string,
): Promise<MigratedCell> {
  const cell = cells.find((one) => one.name === name);
  if (cell === undefined) throw new Error(`There is no cell ${name}.`);
  return migrateCell(cell, await withOwnDatabase(url, claimMain), {});
}

async function migrateCell(
  { name, url }: CellConfig,
  main: CellIdentity,
  options: MigrateOptions,
): Promise<MigratedCell> {
  try {
    // Refuses a foreign database before any change, and detects an unavailable one within seconds.
    await withOwnDatabase(url, (db) => refuseOtherCell(db, name, main));
    await createSchema(url);
    const applied = await migrate(url, options);
    await withOwnDatabase(url, (db) => claimCell(db, name, main));
    return { cell: name, applied, away: null };
  } catch (error) {
    if (isUnavailable(error)) return { cell: name, applied: [], away: wordsOf(error) };
    throw named(name, error);
  }
}

/** Creates the schema in an address, which must exist before its tables. */
export async function createSchema(url: string): Promise<void> {
  const schema = schemaOf(url);
  if (schema === null) return;
  const client = new pg.Client({
    connectionString: await writableUrl(url),
    application_name: 'postrider-migrate',
  });
  client.on('error', () => {}); // the current query reports the error
  await client.connect();
  try {
    // The schema's name was validated with the configuration.
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  } finally {
    await client.end();
  }
}

/** Opens one or two connections for the duration of `work`. */
export async function withOwnDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const log = createLog('migrate', 'silent');
  const db = new Database({
    ...{ url, log, applicationName: 'postrider-migrate', maxConnections: 1, preparedStatements: false },
  });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Refusals already name the cell. */
function named(name: string, error: unknown): unknown {
  if (error instanceof OtherCellError || !(error instanceof Error)) return error;
  return new CellError(`The cell ${name}: ${wordsOf(error)}`, { cause: error });
}

/** The error from trying several addresses of a host has a code but no message. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
