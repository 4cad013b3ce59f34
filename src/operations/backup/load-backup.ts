/**
 * Restores a backup into an empty database: first the schema of the backup, created by the migrations, then all rows in one
 * transaction. A marker exists from the first moment to the last, so that no process starts on a partial restore.
 */
import type pg from 'pg';
import { copyIn } from '../../database/copy.ts';
import { onClient } from '../../database/database.ts';
import { migrate, readMigrations, UNFINISHED_RESTORE } from '../../database/migrate.ts';
import { withOwnConnection } from '../../database/own-connection.ts';
import { ensurePartitions } from '../../database/partitions.ts';
import { adHoc, type Sql, sql } from '../../database/sql.ts';
import type { Say } from '../../runtime/say.ts';
import { BackupError } from './backup-error.ts';
import type { BackupReader } from './backup-reader.ts';
import { columnList, inOrderOfReference, quotedName, tableShapes, writeSequence } from './catalog.ts';
import type { SavedTable } from './manifest.ts';
import { BackupProgress } from './progress.ts';

const RESTORES = 'postrider-restore';

const BEGIN = `
  BEGIN;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres';`;

const findTables = sql<{ found: boolean }>(
  'restore.tables',
  `SELECT to_regclass('schema_migrations') IS NOT NULL OR to_regclass('${UNFINISHED_RESTORE}') IS NOT NULL AS found`,
  { home: 'either' },
);

/** Throws if the database is not empty. No process starts on it until `finishRestore`. */
export function beginRestore(url: string): Promise<void> {
  return withOwnConnection(url, RESTORES, async (client) => {
    if ((await onClient(client).one(findTables)).found) {
      throw new BackupError(
        'The database is not empty: it has tables of Postrider. Restore into an empty database.',
      );
    }
    await client.query(`CREATE TABLE ${UNFINISHED_RESTORE} (begun_at timestamptz NOT NULL DEFAULT now())`);
  });
}

/** Runs in the transaction of everything else that must be true from the same moment. */
export async function finishRestore(tx: Sql): Promise<void> {
  await tx.exec(adHoc(`DROP TABLE ${UNFINISHED_RESTORE}`));
}

export interface LoadRun {
  readonly say: Say;
  /** Aborted when the operator cancels. */
  readonly enough: AbortSignal;
}

/** The schema is then the backup's, which may be older than this code's. */
export async function loadBackup(url: string, backup: BackupReader, run: LoadRun): Promise<void> {
  const { manifest } = backup;
  await migrate(url, { migrations: readMigrations().slice(0, manifest.schema), isRestore: true });
  await withOwnConnection(url, RESTORES, async (client) => {
    const db = onClient(client);
    await client.query(BEGIN);
    const tables = await inOrderOfReference(db, await ownTables(db, manifest.tables, run.say));
    for (const day of manifest.weeks) await ensurePartitions(db, Date.parse(day), 0);
    await client.query(`TRUNCATE ${tables.map(({ name }) => quotedName(name)).join(', ')}`);
    await loadTables(client, backup, tables, run);
    for (const sequence of manifest.sequences) await writeSequence(db, sequence);
    await client.query('COMMIT');
    await client.query('ANALYZE');
  });
}

/** Leaves out tables of other programs in the same schema, which the migrations do not create. */
async function ownTables(
  db: Sql,
  saved: readonly SavedTable[],
  say: (line: string) => void,
): Promise<SavedTable[]> {
  const shapes = new Map((await tableShapes(db)).map((shape) => [shape.name, shape]));
  for (const { name } of saved.filter((table) => !shapes.has(table.name)))
    say(`  ${name}: left out, because it is not a table of Postrider`);
  const own = saved.filter(({ name }) => shapes.has(name));
  for (const { name, columns } of own) {
    const missing = columns.find((column) => !shapes.get(name)?.columns.includes(column));
    if (missing !== undefined)
      throw new BackupError(`The backup has a column that its schema does not have: ${name}.${missing}.`);
  }
  return own;
}

async function loadTables(
  client: pg.Client,
  backup: BackupReader,
  tables: readonly SavedTable[],
  { say, enough }: LoadRun,
): Promise<void> {
  const progress = new BackupProgress(tables, new Map(tables.map(({ name, bytes }) => [name, bytes])), say);
  for (const table of tables) {
    enough.throwIfAborted();
    progress.begin(table.name);
    const text = `COPY ${quotedName(table.name)} (${columnList(table)}) FROM STDIN`;
    const rows = await copyIn(client, text, counted(backup.table(table.name), progress, enough));
    if (rows !== table.rows)
      throw new BackupError(`${table.name} has ${table.rows} rows in the backup, and ${rows} arrived.`);
    progress.end(rows, table.bytes);
  }
}

async function* counted(
  text: AsyncIterable<Buffer>,
  progress: BackupProgress,
  enough: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const rows of text) {
    enough.throwIfAborted();
    progress.more(rows.length);
    yield rows;
  }
}
