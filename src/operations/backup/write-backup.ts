/** Creates a backup: one file with the complete state of a running installation at one moment. */
import { hostname } from 'node:os';
import type pg from 'pg';
import { type CellIdentity, identityOf } from '../../cells/identity.ts';
import { copyOut } from '../../database/copy.ts';
import { onClient } from '../../database/database.ts';
import { isUndefinedTable } from '../../database/errors.ts';
import { UNFINISHED_RESTORE } from '../../database/migrate.ts';
import { withOwnConnection } from '../../database/own-connection.ts';
import { weeksBefore } from '../../database/partitions.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { allJournals, haveOnlyGrown, type JournalLines } from '../../outbox/journal.ts';
import type { StatFs } from '../../runtime/disk-space.ts';
import type { Say } from '../../runtime/say.ts';
import { BackupError } from './backup-error.ts';
import { BackupWriter } from './backup-writer.ts';
import {
  columnList,
  quotedName,
  readSequences,
  type TableShape,
  tableShapes,
  tableSizes,
} from './catalog.ts';
import {
  type BackupManifest,
  FORMAT,
  JOURNAL_FOLDER,
  KEYS_FILE,
  type SavedFile,
  type SavedSequence,
  type SavedTable,
  SETTINGS_FOLDER,
} from './manifest.ts';
import { BackupProgress } from './progress.ts';

export interface BackupSource {
  readonly url: string;
  readonly dataDir: string;
  readonly keys: readonly { readonly id: string; readonly text: string }[];
  readonly withKeys: boolean;
  readonly settings: readonly { readonly name: string; readonly content: Buffer }[];
  /** The version of Postrider, and the newest schema that it knows. */
  readonly version: string;
  readonly knownSchema: number;
}

export interface BackupRun {
  readonly nowMs: () => number;
  readonly say: Say;
  /** Aborted when the operator cancels. */
  readonly enough: AbortSignal;
  readonly statfs?: StatFs;
}

export interface WrittenBackup {
  readonly manifest: BackupManifest;
  readonly bytes: number;
}

export async function writeBackup(
  source: BackupSource,
  file: string,
  run: BackupRun,
): Promise<WrittenBackup> {
  const writer = await BackupWriter.create(file, run);
  try {
    const manifest = await withSnapshot(source.url, source.dataDir, async (snapshot) => {
      refuseNewerSchema(source, snapshot);
      const madeAt = new Date(run.nowMs()).toISOString();
      const files = await addFiles(writer, source, snapshot.journals);
      const tables = await addTables(writer, snapshot, run);
      return manifestOf(source, snapshot, { madeAt, files, tables });
    });
    return { manifest, bytes: await writer.finish(manifest) };
  } catch (error) {
    await writer.discard();
    throw run.enough.aborted ? new BackupError('Stopped. No backup was written.') : error;
  }
}

/** This code cannot know the meaning of a newer schema. */
function refuseNewerSchema({ knownSchema }: BackupSource, { schema }: Snapshot): void {
  if (schema <= knownSchema) return;
  throw new BackupError(
    `The database is at schema ${schema}, newer than this version supports (${knownSchema}). Back up with the running version.`,
  );
}

async function addFiles(
  writer: BackupWriter,
  { keys, withKeys, settings }: BackupSource,
  journals: Snapshot['journals'],
): Promise<SavedFile[]> {
  const files: SavedFile[] = [];
  for (const [epoch, lines] of journals)
    files.push(await writer.addFile(`${JOURNAL_FOLDER}${epoch}.jsonl`, toText(lines)));
  for (const { name, content } of settings)
    files.push(await writer.addFile(`${SETTINGS_FOLDER}${name}`, content));
  if (withKeys) files.push(await writer.addFile(KEYS_FILE, toText(keys.map(({ text }) => text))));
  return files;
}

function toText(lines: JournalLines): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

async function addTables(writer: BackupWriter, snapshot: Snapshot, run: BackupRun): Promise<SavedTable[]> {
  const { tables, sizes } = snapshot;
  const progress = new BackupProgress(tables, sizes, run.say);
  const saved: SavedTable[] = [];
  for (const shape of tables) {
    progress.begin(shape.name);
    const rows = new RowCount();
    const text = rows.of(until(run.enough, copyOut(snapshot.client, copyText(shape))));
    const digest = await writer.addTable(shape.name, text, (more) => progress.more(more));
    saved.push({ ...shape, ...digest, rows: rows.count });
    progress.end(rows.count, digest.bytes);
  }
  return saved;
}

/** A partitioned table has no rows of its own, so all tables are read with a query. */
function copyText(shape: TableShape): string {
  return `COPY (SELECT ${columnList(shape)} FROM ${quotedName(shape.name)}) TO STDOUT`;
}

async function* until(enough: AbortSignal, text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const rows of text) {
    enough.throwIfAborted();
    yield rows;
  }
}

/** Counts lines: in the text of COPY every row is one line, and line ends within values are escaped. */
class RowCount {
  count = 0;

  async *of(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const rows of text) {
      for (let at = rows.indexOf(0x0a); at >= 0; at = rows.indexOf(0x0a, at + 1)) this.count += 1;
      yield rows;
    }
  }
}

function manifestOf(
  { keys, version }: BackupSource,
  { schema, cell, postgresql, weeks, sequences }: Snapshot,
  made: Pick<BackupManifest, 'madeAt' | 'files' | 'tables'>,
): BackupManifest {
  return {
    format: FORMAT,
    madeAt: made.madeAt,
    host: hostname(),
    version,
    postgresql,
    schema,
    ...(cell && { cell }),
    keyIds: keys.map(({ id }) => id),
    weeks,
    files: made.files,
    tables: made.tables,
    sequences,
  };
}

interface Snapshot {
  /** Everything read here is of that moment. */
  readonly client: pg.Client;
  readonly schema: number;
  readonly cell: CellIdentity | undefined;
  readonly postgresql: string;
  readonly tables: readonly TableShape[];
  /** The approximate size of each table. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly weeks: readonly string[];
  /** Read after the journals, so that no journal has an epoch that a sequence will issue again. */
  readonly sequences: readonly SavedSequence[];
  readonly journals: ReadonlyMap<number, JournalLines>;
}

/** Each try takes milliseconds, and a journal is emptied a few times a second at most. */
const MAX_TRIES = 100;

/** Overrides the settings of the session, the server and a pooler: no time limits, and the same text format everywhere. */
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = '60s';
  SET LOCAL row_security = off;
  SET LOCAL synchronize_seqscans = off;
  SET LOCAL max_parallel_workers_per_gather = 0;
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 1;`;

/** The first query, which fixes the moment of the snapshot. */
const selectVersions = sql<{ schema: number; postgresql: string }>(
  'backup.versions',
  `SELECT coalesce(max(version), 0)::int AS schema, current_setting('server_version') AS postgresql
   FROM schema_migrations`,
  { home: 'either' },
);

/**
 * A consistent snapshot of a running installation: a transaction that sees the database at one moment, and the workers'
 * journals at that moment.
 *
 * An acceptance that a worker has recorded and not settled is a claimed row in the snapshot, and a line in its journal. A
 * journal is emptied when all of its entries are settled, possibly right after the snapshot. So the journals are read before
 * and after it. If each has only grown in between, the later reading has every line that the snapshot lacks. Otherwise another
 * snapshot is taken.
 */
function withSnapshot<T>(url: string, dataDir: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return withOwnConnection(url, 'postrider-backup', async (client) =>
    work(await takeSnapshot(client, dataDir)),
  );
}

async function takeSnapshot(client: pg.Client, dataDir: string): Promise<Snapshot> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const snapshot = await tryToTake(client, dataDir);
    if (snapshot !== null) return snapshot;
    await client.query('ROLLBACK');
  }
  throw new BackupError(
    'The tables keep changing, which happens during a migration of the schema. Try again when the migration has finished.',
  );
}

/** Null if a journal was emptied in between. */
async function tryToTake(client: pg.Client, dataDir: string): Promise<Snapshot | null> {
  const db = onClient(client);
  const known = await tableShapes(db);
  await client.query(BEGIN);
  if (!(await lockTables(client, known))) return null;
  const before = allJournals(dataDir);
  const versions = await db.one(selectVersions);
  const journals = allJournals(dataDir);
  if (!haveOnlyGrown(before, journals)) return null;
  if (JSON.stringify(await tableShapes(db)) !== JSON.stringify(known)) return null;
  return {
    ...versions,
    cell: known.some(({ name }) => name === 'cell_identity') ? await identityOf(db) : undefined,
    client,
    journals,
    tables: known,
    sizes: await tableSizes(db),
    weeks: await firstDays(db),
    sequences: await readSequences(db),
  };
}

/**
 * Retention empties and drops partitions, and no snapshot protects from that. LOCK does not fix the snapshot. False if a table
 * is already gone.
 */
async function lockTables(client: pg.Client, tables: readonly TableShape[]): Promise<boolean> {
  if (tables.length === 0) throw new BackupError('The database has no tables: there is nothing to back up.');
  if (tables.some(({ name }) => name === UNFINISHED_RESTORE))
    throw new BackupError(
      'A restore into this database was not finished, so that a backup would be incomplete. Finish the restore first.',
    );
  try {
    const names = tables.map(({ name }) => quotedName(name)).join(', ');
    await client.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE`);
    return true;
  } catch (error) {
    if (isUndefinedTable(error)) return false;
    throw error;
  }
}

async function firstDays(db: Sql): Promise<string[]> {
  const weeks = await weeksBefore(db, Number.POSITIVE_INFINITY);
  return weeks.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10));
}
