/** `npx postrider backup`: the complete installation in one file, without a stop. */
import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { allMoves, type KnownMove } from '../cells/move-store.ts';
import { changedSince, type PlacedOrganization } from '../cells/store.ts';
import { type Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable, isUndefinedTable } from '../database/errors.ts';
import { knownSchema } from '../database/migrate.ts';
import { BackupError } from '../operations/backup/backup-error.ts';
import { BackupReader } from '../operations/backup/backup-reader.ts';
import { type BackupManifest, cellIn, holdsKeys, SETTINGS_LIST } from '../operations/backup/manifest.ts';
import { sizeText } from '../operations/backup/progress.ts';
import { type BackupSource, type WrittenBackup, writeBackup } from '../operations/backup/write-backup.ts';
import { listOrganizations } from '../organizations/store.ts';
import { journalHome } from '../processes/data-folders.ts';
import { packageVersion } from '../processes/package-version.ts';
import { refuseOtherKey } from '../processes/refuse-other-key.ts';
import type { Config } from '../runtime/config.ts';
import { hasKeys, keyTexts } from '../runtime/key-store.ts';
import { SECRETS } from '../runtime/secret-files.ts';
import { type OperatorAction, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
} from './command.ts';
import {
  directUrl,
  explainError,
  openDatabase,
  reason,
  refuseUnreachable,
  withServerEvenStopped,
} from './installation.ts';

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    positionals: ['FILE'],
    optional: { cell: 'NAME' },
    flags: ['without-secret-key'],
    summary:
      'Back up the running installation into a file, or into a folder under a name with the time; one file for each cell',
    explains: {
      FILE: 'the file to write, or a folder for a file with a generated name',
      '--cell': 'only this cell',
      '--without-secret-key': 'leave out the secret key',
    },
    example: 'backup /var/backups/postrider',
    run: (context, [target = ''], options) =>
      backUp(context, target, {
        withKeys: options['without-secret-key'] === undefined,
        cell: options.cell,
      }),
  },
  {
    name: 'backup check',
    positionals: ['FILE'],
    summary: 'Verify the hashes of a backup, and show its content',
    explains: {
      FILE: 'the backup file',
    },
    example: 'backup check /var/backups/postrider/today.tar',
    run: (context, [file = '']) => check(context, file),
  },
];

interface Asked {
  readonly withKeys: boolean;
  /** Limits the backup to one cell. */
  readonly cell: string | undefined;
}

interface Made extends WrittenBackup {
  readonly file: string;
}

async function backUp(context: CommandContext, target: string, asked: Asked): Promise<CommandAnswer> {
  const file = await fileFor(target, context.clock.nowMs());
  return inWords(() =>
    withServerEvenStopped(context, async (config) => {
      await refuseUnreachable(config);
      if (asked.withKeys) await refuseWrongKeys(config);
      const cells = await cellsToSave(config, file, asked.cell);
      const begunAt = new Date(context.clock.nowMs());
      const before =
        config.cells.length > 0 ? await withOpened(config, (db) => placesBefore(db, cells)) : null;
      const { made, missing } = await saveEach(context, config, cells, asked.withKeys);
      const moved = before && (await withOpened(config, (db) => movedMeanwhile(db, cells, before, begunAt)));
      if (made.length === 0) throw new CliError(missing.join('\n'));
      if (moved !== null && moved.length > 0) throw await discarded(made, moved);
      await withOpened(config, (db) =>
        recordOperatorAction(db, context, auditEntryOf(file, (made[0] as Made).manifest)),
      );
      return answerTo(made, missing);
    }),
  );
}

async function saveEach(
  context: CommandContext,
  config: Config,
  cells: readonly CellToSave[],
  withKeys: boolean,
) {
  const { clock, enough } = context;
  const say = context.json ? () => {} : context.say;
  const run = { nowMs: () => clock.nowMs(), say, enough };
  const made: Made[] = [];
  const missing: string[] = [];
  for (const cell of cells) {
    say(`Backing up to ${cell.file}`);
    // The keys are shared by all cells, so the first file alone contains them.
    const isFirst = cell.name === MAIN_CELL;
    const save = async () => {
      const source = await sourceOf(config, cell, withKeys && isFirst);
      made.push({ file: cell.file, ...(await writeBackup(source, cell.file, run)) });
    };
    const problem = await orAway(cell.name, save());
    if (problem !== null) missing.push(problem);
  }
  return { made, missing };
}

async function discarded(made: readonly Made[], moved: readonly string[]): Promise<CliError> {
  for (const { file } of made) await rm(file);
  return new CliError(
    `${moved.join(', ')} moved to another cell during the backup, so the files would not belong together. No backup was kept. Run the command again.`,
  );
}

/** For a folder, the file name contains the time. */
async function fileFor(target: string, nowMs: number): Promise<string> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const time = new Date(nowMs).toISOString().replace(/:|\.\d+/g, '');
  return resolve(isFolder ? join(target, `postrider-${time}.tar`) : target);
}

/** Refuses a backup without the keys that decrypt it. */
async function refuseWrongKeys(config: Config): Promise<void> {
  if (!hasKeys(config)) {
    throw new CliError(
      'There is no secret key here. Set POSTRIDER_SECRET_KEY to the key that the installation uses, or set POSTRIDER_DATA_DIR to its data folder; --without-secret-key makes a backup without the key.',
    );
  }
  await withOpened(config, (db) => refuseOtherKey(db, config)).catch((error) => {
    if (isUndefinedTable(error)) throw explainError(error, config);
    throw new CliError(error instanceof Error ? error.message : String(error));
  });
}

/** Opens the database regardless of its schema version. */
async function withOpened<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(config);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

function auditEntryOf(file: string, manifest: BackupManifest): OperatorAction {
  const details = { file, holds_secret_key: holdsKeys(manifest) };
  return { action: 'installation.backed_up', organizationId: null, details };
}

async function sourceOf(
  config: Config,
  { url, dataDir }: CellToSave,
  withKeys: boolean,
): Promise<BackupSource> {
  return {
    ...{ url, dataDir, withKeys },
    keys: hasKeys(config) ? keyTexts(config) : [],
    settings: await settingsOf(config, withKeys),
    version: packageVersion(),
    knownSchema: knownSchema(),
  };
}

/** Without the master keys, which have a separate file. */
async function settingsOf(
  { given, providersFile }: Config,
  withSecrets: boolean,
): Promise<BackupSource['settings']> {
  const left: readonly string[] = withSecrets
    ? ['POSTRIDER_SECRET_KEY', 'POSTRIDER_MORE_SECRET_KEYS']
    : SECRETS;
  const lines = Object.entries(given)
    .filter(([name]) => !left.includes(name))
    .map(([name, value]) => `${name}=${inQuotes(value)}\n`);
  const settings = [{ name: basename(SETTINGS_LIST), content: Buffer.from(lines.join('')) }];
  if (providersFile !== undefined)
    settings.push({ name: basename(providersFile), content: await readFile(providersFile) });
  return settings;
}

/** Quoted for `.env`. */
function inQuotes(value: string): string {
  const quote = [`'`, '"', '`'].find((one) => !value.includes(one)) ?? `'`;
  return `${quote}${value}${quote}`;
}

function answerTo(made: readonly Made[], missing: readonly string[]): CommandAnswer {
  const [{ file, bytes, manifest }] = made as [Made];
  const secrecy = holdsKeys(manifest)
    ? 'The backup holds the secret key. Anybody who can read the file can read everything: protect the file like a password.'
    : 'The backup does not hold the secret key. Without the key, the encrypted values of the backup can never be read: keep the key elsewhere.';
  const files = made.map((one) => ({ file: one.file, bytes: one.bytes, ...summaryOf(one.manifest) }));
  return {
    json: {
      file,
      bytes,
      ...summaryOf(manifest),
      ...(made.length + missing.length > 1 && { files, missing }),
    },
    lines: [
      ...made.map((one) => {
        const where = made.length > 1 ? `${one.file}: ` : '';
        return `${where}${contentsWords(one.manifest)}, in ${sizeText(one.bytes)}.`;
      }),
      ...(made.length > 1 ? ['These files belong together: keep all of them.'] : []),
      ...missing,
      secrecy,
    ],
    exitCode: missing.length > 0 ? EXIT_FAILED : 0,
  };
}

async function check({ json, say }: CommandContext, file: string): Promise<CommandAnswer> {
  const manifest = await inWords(async () => {
    const backup = await BackupReader.open(file, json ? undefined : say);
    await backup.close();
    return backup.manifest;
  });
  return {
    json: summaryOf(manifest),
    lines: [
      'The backup is whole and undamaged.',
      `Made at ${manifest.madeAt} on ${manifest.host}, by version ${manifest.version} with PostgreSQL ${manifest.postgresql}.`,
      `${contentsWords(manifest)}, of schema ${manifest.schema}${cellIn(manifest) === MAIN_CELL ? '' : `, of the cell ${cellIn(manifest)}`}.`,
      holdsKeys(manifest) ? 'The backup holds the secret key.' : 'The backup does not hold the secret key.',
    ],
  };
}

export function contentsWords({ tables }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows.toLocaleString('en-US')} rows of ${tables.length} tables`;
}

function summaryOf(manifest: BackupManifest) {
  const { madeAt, host, version, postgresql, schema, tables } = manifest;
  return {
    cell: cellIn(manifest),
    made_at: madeAt,
    host,
    version,
    postgresql,
    schema,
    holds_secret_key: holdsKeys(manifest),
    tables: tables.map(({ name, rows, bytes, sha256 }) => ({ name, rows, bytes, sha256 })),
  };
}

/** Shows errors of the disk or the database without a stack. */
export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isExpected = error instanceof BackupError || (error instanceof Error && 'code' in error);
    throw isExpected ? new CliError(error.message) : error;
  }
}

/**
 * Backs up an installation with several cells: one file each, the first database before the others. A new
 * organization is created in its cell first, so every organization in the first file is also in its cell's
 * file. An organization moved meanwhile may be in neither file or in both, which invalidates the backup.
 */
interface CellToSave {
  readonly name: string;
  readonly url: string;
  /** The folder with the journals of the cell's workers on this machine. */
  readonly dataDir: string;
  readonly file: string;
}

/** `only` is the requested cell. */
async function cellsToSave(
  config: Config,
  file: string,
  only: string | undefined,
): Promise<readonly CellToSave[]> {
  const { dataDir } = config;
  const all: CellToSave[] = [
    { name: MAIN_CELL, url: await directUrl(config), dataDir, file },
    ...config.cells.map(({ name, url }) => ({
      ...{ name, url, dataDir: journalHome({ dataDir, cell: name }) },
      file: only === undefined ? fileOfCell(file, name) : file,
    })),
  ];
  const wanted = all.filter(({ name }) => only === undefined || name === only);
  if (wanted.length > 0) return wanted;
  throw new CliError(
    `There is no cell ${only}. There are: ${all.map(({ name }) => name).join(', ')}`,
    EXIT_USAGE,
  );
}

/** `today.tar` for the first, `today.two.tar` for another. */
function fileOfCell(file: string, cell: string): string {
  return file.endsWith('.tar') ? `${file.slice(0, -'.tar'.length)}.${cell}.tar` : `${file}.${cell}`;
}

interface Places {
  readonly placed: ReadonlyMap<string, PlacedOrganization>;
  readonly moves: ReadonlySet<string>;
}

/**
 * The cell of every organization, to compare after the backup. During a move, a cell has rows of an
 * organization that lives elsewhere; a restore would refuse them, because their mail would be sent twice.
 * `cells` are those being saved.
 */
async function placesBefore(db: Database, cells: readonly CellToSave[]): Promise<Places> {
  const [placed, moves] = await Promise.all([changedSince(db, 0), movesOf(db, cells)]);
  const open = moves.filter(({ is_open }) => is_open).map(({ organization_id }) => organization_id);
  const moving = placed.filter(({ is_moving }) => is_moving).map(({ organization_id }) => organization_id);
  const onTheWay = [...new Set([...open, ...moving])];
  if (onTheWay.length > 0)
    throw new CliError(`${onTheWay.join(', ')} on the way to another cell. Back up when the move is done.`);
  return {
    placed: new Map(placed.map((one) => [one.organization_id, one])),
    moves: new Set(moves.map(({ id }) => id)),
  };
}

/** Organizations that were, are, or were about to be in another cell than when the backup began. */
async function movedMeanwhile(
  db: Database,
  cells: readonly CellToSave[],
  before: Places,
  begunAt: Date,
): Promise<readonly string[]> {
  const begun = (await movesOf(db, cells)).filter(({ id }) => !before.moves.has(id));
  // A single file is one snapshot, regardless of later moves.
  if (cells.length === 1) return begun.map(({ organization_id }) => organization_id);
  const fresh = new Set(
    (await listOrganizations(db)).filter((one) => one.created_at >= begunAt).map(({ id }) => id),
  );
  const placed = (await changedSince(db, 0)).filter(
    ({ organization_id: id, version }) => before.placed.get(id)?.version !== version && !fresh.has(id),
  );
  return [...new Set([...begun, ...placed].map(({ organization_id }) => organization_id))];
}

async function movesOf(db: Database, cells: readonly CellToSave[]): Promise<readonly KnownMove[]> {
  const names = new Set(cells.map(({ name }) => name));
  return (await allMoves(db)).filter((one) => names.has(one.from_cell) || names.has(one.to_cell));
}

/** Null, or the reason why a cell is missing. The first cell is required. */
async function orAway(name: string, save: Promise<unknown>): Promise<string | null> {
  try {
    await save;
    return null;
  } catch (error) {
    if (name === MAIN_CELL || !isUnavailable(error)) throw error;
    return `The cell ${name} is not in this backup, because it does not answer (${reason(error)}).`;
  }
}
