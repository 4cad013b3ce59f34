/** Creates a backup: one file with the complete state of a running installation at one moment. */
import { hostname } from 'node:os';
import { copyOut } from '../../database/copy.ts';
import type { JournalLines } from '../../outbox/journal.ts';
import type { StatFs } from '../../runtime/disk-space.ts';
import type { Say } from '../../runtime/say.ts';
import { BackupError } from './backup-error.ts';
import { BackupWriter } from './backup-writer.ts';
import { columnList, quotedName, type TableShape } from './catalog.ts';
import {
  type BackupManifest,
  FORMAT,
  JOURNAL_FOLDER,
  KEYS_FILE,
  type SavedFile,
  type SavedTable,
  SETTINGS_FOLDER,
} from './manifest.ts';
import { BackupProgress } from './progress.ts';
import { type Snapshot, withSnapshot } from './snapshot.ts';

export interface BackupSource {
  readonly url: string;
  readonly dataDir: string;
  /** The master keys. */
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
    throw run.enough.aborted ? new BackupError('Stopped. There is no backup.') : error;
  }
}

/** This code cannot know the meaning of a newer schema. */
function refuseNewerSchema({ knownSchema }: BackupSource, { schema }: Snapshot): void {
  if (schema <= knownSchema) return;
  throw new BackupError(
    `The database is at schema ${schema}, newer than this version knows (${knownSchema}). Back up with the version that runs.`,
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
