/**
 * Brings every database of an installation up to date, and has each say what it is. The first has to answer. Another that does
 * not is told of: its own organizations wait for it in any case, and nobody else does.
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

/** One that answers, and cannot be used. */
export class CellError extends Error {}

export interface MigratedCell {
  readonly cell: string;
  readonly applied: readonly string[];
  /** Why it was left as it is; null where it was not. */
  readonly away: string | null;
}

/** `url`: of the first, past any pooler. */
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

/** One of those that did not answer before. */
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
    // Nothing of somebody else's is touched; and one that does not answer is found out in seconds.
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

/** The schema that an address names has to be there before tables can be made in it. */
export async function createSchema(url: string): Promise<void> {
  const schema = schemaOf(url);
  if (schema === null) return;
  const client = new pg.Client({
    connectionString: await writableUrl(url),
    application_name: 'postrider-migrate',
  });
  client.on('error', () => {}); // the query in hand reports it
  await client.connect();
  try {
    // The name was checked where the configuration was read.
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  } finally {
    await client.end();
  }
}

/** A connection or two, for as long as it takes. */
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

/** What was refused says itself whom it is about. */
function named(name: string, error: unknown): unknown {
  if (error instanceof OtherCellError || !(error instanceof Error)) return error;
  return new CellError(`The cell ${name}: ${wordsOf(error)}`, { cause: error });
}

/** Trying several addresses of a host gives an error without words, only with a code. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
