/** `npx postrider restore` creates an installation from a backup in an empty place, and holds its mail. */

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { identityOf } from '../cells/identity.ts';
import { changedSince } from '../cells/store.ts';
import { type Database, MAIN_CELL } from '../database/database.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { knownSchema, migrate } from '../database/migrate.ts';
import { takeOverFromAll } from '../delivery/attempt/recover.ts';
import { keepHoldingAll, openHoldLike, placeHold } from '../interventions/holds/store.ts';
import { BackupReader } from '../operations/backup/backup-reader.ts';
import { beginRestore, finishRestore, type LoadRun, loadBackup } from '../operations/backup/load-backup.ts';
import {
  type BackupManifest,
  cellIn,
  holdsKeys,
  JOURNAL_FOLDER,
  KEYS_FILE,
  SETTINGS_FOLDER,
  SETTINGS_LIST,
} from '../operations/backup/manifest.ts';
import { copyOrganization, listOrganizations } from '../organizations/store.ts';
import { organizationsWaiting } from '../outbox/status.ts';
import { journalHome } from '../processes/data-folders.ts';
import { createSchema, withOwnDatabase } from '../processes/migrate-cells.ts';
import type { Config } from '../runtime/config.ts';
import { hasKeys, loadKeyRing, putKeysIntoFolder } from '../runtime/key-store.ts';
import { createLog } from '../runtime/log.ts';
import { isSecret } from '../runtime/secret-files.ts';
import { operatorName, recordOperatorAction } from './audit.ts';
import { contentsWords, inWords } from './backup-command.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext, EXIT_USAGE } from './command.ts';
import { databaseUrl, openDatabase, refuseUnreachable, withDatabase } from './installation.ts';

export const restoreCommand: Command = {
  name: 'restore',
  positionals: ['FILE'],
  optional: { cell: 'NAME' },
  summary:
    'Restore a backup into an empty installation, or with --cell one cell; mail and webhooks are held until `release`',
  explains: {
    FILE: 'the backup file',
    '--cell': 'restore one cell of an installation whose first database exists',
  },
  example: 'restore /var/backups/postrider/today.tar',
  run: (context, [file = ''], { cell }) =>
    inWords(() =>
      cell === undefined || cell === MAIN_CELL ? restore(context, file) : restoreOne(context, file, cell),
    ),
};

async function restore(context: CommandContext, file: string): Promise<CommandAnswer> {
  const { config, enough } = context;
  const say = context.json ? () => {} : context.say;
  await refuseUsedFolder(config);
  if (config.databaseUrl !== undefined) await refuseUnreachable(config);
  say(`Checking ${file}`);
  const backup = await BackupReader.open(file, say);
  try {
    refuseOtherFile(backup.manifest);
    await refuseUnfit(config, backup.manifest);
    await withNewServer(config, say, (databaseUrl) =>
      fill({ ...context, config: { ...config, databaseUrl } }, backup, { say, enough }),
    );
    return answerTo(backup.manifest, await differingSettings(config, backup), config);
  } finally {
    await backup.close();
  }
}

async function restoreOne(context: CommandContext, file: string, cell: string): Promise<CommandAnswer> {
  const { config, enough } = context;
  const say = context.json ? () => {} : context.say;
  await refuseUnreachable(config);
  say(`Checking ${file}`);
  const backup = await BackupReader.open(file, say);
  try {
    refuseOtherFile(backup.manifest, cell);
    refuseNewer(backup.manifest);
    refuseMissingKeys(config, backup.manifest);
    await restoreCell(context, cell, backup, { say, enough });
    return answerTo(backup.manifest, [], config);
  } finally {
    await backup.close();
  }
}

async function refuseUnfit(config: Config, manifest: BackupManifest): Promise<void> {
  refuseNewer(manifest);
  await refuseUsedFolder(config, manifest);
  refuseMissingKeys(config, manifest);
}

function refuseNewer(manifest: BackupManifest): void {
  const known = knownSchema();
  if (manifest.schema > known) {
    throw new CliError(
      `The backup has schema ${manifest.schema}, newer than this version knows (${known}). Restore it with Postrider ${manifest.version} or newer.`,
    );
  }
}

async function withNewServer(
  { databaseUrl, databaseDirectUrl = databaseUrl, dataDir, databasePort: port }: Config,
  say: (line: string) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  if (databaseDirectUrl !== undefined) return work(databaseDirectUrl);
  const server = await startEmbeddedPostgres({ dataDir, port, log: say });
  try {
    await work(server.url);
  } finally {
    await server.stop();
  }
}

type Filled = CommandContext & { readonly config: { readonly databaseUrl: string } };

async function fill(context: Filled, backup: BackupReader, run: LoadRun): Promise<void> {
  const { config } = context;
  const { say } = run;
  await beginRestore(config.databaseUrl);
  try {
    await putFiles(config, backup);
    say('Restoring');
    await loadBackup(config.databaseUrl, backup, run);
    for (const name of await migrate(config.databaseUrl, { isRestore: true })) say(`  Applied ${name}`);
    await settleAndHold(context, backup.manifest);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`${reason}\n${unfinishedWords(config)}`);
  }
}

/** Mail that servers had accepted is not sent again; all other mail is held until an operator releases it. */
async function settleAndHold(context: Filled, { madeAt, host }: BackupManifest): Promise<void> {
  const { config } = context;
  const opened = await openDatabase(config);
  const db = opened.db.cells[0]?.db ?? opened.db;
  try {
    await takeOverFromAll({ db, log: createLog('cli', 'silent'), dataDir: config.dataDir });
    await db.transaction(async (tx) => {
      await keepHoldingAll(tx);
      const reason = `Restored from the backup of ${madeAt}`;
      await placeHold(tx, { scope: 'all', reason, by: operatorName(context), withWebhooks: true });
      await finishRestore(tx);
    });
    const details = { backup_of: madeAt, made_on: host };
    await recordOperatorAction(db, context, {
      action: 'installation.restored',
      organizationId: null,
      details,
    });
  } finally {
    await opened.close();
  }
}

function unfinishedWords({ dataDir }: Config): string {
  return `The restore was not finished, and nothing starts here. Delete ${dataDir} (and empty the database that DATABASE_URL names), then restore again.`;
}

function answerTo(
  manifest: BackupManifest,
  differences: readonly string[],
  { dataDir, cells }: Config,
): CommandAnswer {
  return {
    json: {
      cell: cellIn(manifest),
      made_at: manifest.madeAt,
      schema: manifest.schema,
      held: true,
      settings_that_differ: differences,
    },
    lines: [
      `${contentsWords(manifest)} are as they were at ${manifest.madeAt}.`,
      ...(differences.length === 0
        ? []
        : [`Settings that differ (the backup's are in ${join(dataDir, SETTINGS_HERE)}):`]),
      ...differences.map((line) => `  ${line}`),
      ...(cellIn(manifest) === MAIN_CELL ? cells.map(({ name }) => cellLine(name)) : []),
      'Mail is accepted and held, and so are webhooks: nothing is sent until you run `npx postrider release`, which first says how much would be sent.',
    ],
  };
}

function cellLine(name: string): string {
  return `The cell ${name} was not changed, and is not held. Restore the file of this cell from the same backup: npx postrider restore FILE --cell ${name}`;
}

/** Refuses a file of another cell. `cell` is the requested one. */
function refuseOtherFile(manifest: BackupManifest, cell: string = MAIN_CELL): void {
  const own = cellIn(manifest);
  if (own === cell) return;
  const is =
    own === MAIN_CELL ? 'This is a backup of the first database' : `This is a backup of the cell ${own}`;
  const how = own === MAIN_CELL ? 'leave out --cell' : `add --cell ${own}`;
  throw new CliError(`${is}, not of ${cell}: ${how} to restore it.`, EXIT_USAGE);
}

/**
 * Restores one cell of an installation whose first database exists. The present assignment in the first
 * database decides: organizations assigned to this cell but missing in the backup are registered again. If
 * mail in the backup belongs to organizations that now live elsewhere, it would be sent twice, so the restore
 * is not completed.
 */
async function restoreCell(
  context: CommandContext,
  cell: string,
  backup: BackupReader,
  run: LoadRun,
): Promise<void> {
  const { config } = context;
  const url = config.cells.find(({ name }) => name === cell)?.url;
  if (url === undefined)
    throw new CliError(`POSTRIDER_CELLS does not name the cell ${cell}: name the empty database for it.`);
  const home = journalHome({ dataDir: config.dataDir, cell });
  await refuseJournals(home);
  await refuseOtherInstallation(config, backup.manifest);
  await createSchema(url);
  await beginRestore(url);
  try {
    await putJournals(home, backup);
    run.say(`Restoring the cell ${cell}`);
    await loadBackup(url, backup, run);
    for (const name of await migrate(url, { isRestore: true })) run.say(`  Applied ${name}`);
    await withOwnDatabase(url, (db) => settleAndHoldCell(context, db, cell, backup.manifest));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(
      `${reason}\nThe restore was not finished, and nothing works on this cell. Empty its database (and delete ${home}), then restore again.`,
    );
  }
  const details = { cell, backup_of: backup.manifest.madeAt, made_on: backup.manifest.host };
  await withDatabase(config, (db) =>
    recordOperatorAction(db, context, { action: 'installation.restored', organizationId: null, details }),
  );
}

async function refuseJournals(home: string): Promise<void> {
  if ((await readdir(join(home, 'journal')).catch(() => [])).length > 0)
    throw new CliError(
      `${home} has journals of workers already. Stop the workers, and move this folder away.`,
    );
}

async function refuseOtherInstallation(config: Config, { cell }: BackupManifest): Promise<void> {
  const main = await withOwnDatabase(await databaseUrl(config), identityOf);
  if (main?.installation_id === cell?.installation_id) return;
  throw new CliError(
    'The first database is not of the installation that this backup is of. Restore the backup of that installation first.',
  );
}

async function settleAndHoldCell(
  context: CommandContext,
  db: Database,
  cell: string,
  { madeAt }: BackupManifest,
): Promise<void> {
  const { config } = context;
  const dataDir = journalHome({ dataDir: config.dataDir, cell });
  await takeOverFromAll({ db, log: createLog('cli', 'silent'), dataDir });
  const known = await withOwnDatabase(await databaseUrl(config), async (main) => ({
    placed: new Map((await changedSince(main, 0)).map((one) => [one.organization_id, one.cell])),
    organizations: await listOrganizations(main),
    holdId: await openHoldLike(main, { scope: 'all', reason: '' }),
  }));
  const isHere = (id: string) => known.placed.get(id) === cell;
  const elsewhere = (await organizationsWaiting(db)).filter((id) => !isHere(id));
  if (elsewhere.length > 0)
    throw new CliError(
      `The backup has mail in the queue of ${elsewhere.join(', ')}, which the first database has in another cell: this mail would be sent twice. Restore the first database from the same backup as well.`,
    );
  for (const one of known.organizations) if (isHere(one.id)) await copyOrganization(db, one);
  await db.transaction(async (tx) => {
    await keepHoldingAll(tx);
    const reason = `Restored from the backup of ${madeAt}`;
    const hold = { scope: 'all', reason, by: operatorName(context), withWebhooks: true } as const;
    await placeHold(tx, known.holdId === undefined ? hold : { ...hold, id: known.holdId });
    await finishRestore(tx);
  });
}

/** The backup's settings, for reference: this machine's own settings stay in force. */
const SETTINGS_HERE = 'restored-settings';

/**
 * Refuses a folder that contains an installation. A key may exist before a backup without keys is restored.
 */
async function refuseUsedFolder({ dataDir }: Config, manifest?: BackupManifest): Promise<void> {
  const found = await readdir(dataDir).catch(() => []);
  const used = ['postgres', 'postgres.json', 'journal', SETTINGS_HERE];
  if (manifest !== undefined && holdsKeys(manifest)) used.push(KEYS_FILE);
  const there = found.filter((name) => used.includes(name));
  if (there.length === 0) return;
  throw new CliError(
    `${dataDir} is not empty: it holds ${there.join(', ')}. Set POSTRIDER_DATA_DIR to another folder, or move these files away.`,
  );
}

/** The keys that decrypt the backup must be present. */
function refuseMissingKeys(config: Config, manifest: BackupManifest): void {
  if (holdsKeys(manifest) && config.secretKey === undefined) return;
  if (!hasKeys(config)) {
    throw new CliError(
      `The backup was made without its secret key. Set POSTRIDER_SECRET_KEY to that key, or put the file \`secret-key\` into ${config.dataDir}.`,
    );
  }
  const ring = loadKeyRing(config);
  const missing = manifest.keyIds.filter((id) => ring.find(id) === undefined);
  if (missing.length === 0) return;
  const rest = holdsKeys(manifest) ? ' Unset POSTRIDER_SECRET_KEY to use the one in the backup.' : '';
  throw new CliError(
    `The secret key here is not the one of the backup, whose fingerprint is ${missing.join(', ')}.${rest}`,
  );
}

/** Written before the database has rows that need them. */
async function putFiles(config: Config, backup: BackupReader): Promise<void> {
  const { dataDir } = config;
  if (holdsKeys(backup.manifest) && config.secretKey === undefined)
    putKeysIntoFolder(dataDir, (await backup.file(KEYS_FILE)).toString('utf8').trimEnd().split('\n'));
  await putJournals(dataDir, backup);
  for (const { name } of backup.manifest.files) {
    if (name.startsWith(SETTINGS_FOLDER))
      await put(join(dataDir, SETTINGS_HERE), name, await backup.file(name));
  }
}

/** `home` is the folder where the cell's workers look for journals. */
async function putJournals(home: string, backup: BackupReader): Promise<void> {
  for (const { name } of backup.manifest.files)
    if (name.startsWith(JOURNAL_FOLDER)) await put(join(home, 'journal'), name, await backup.file(name));
}

async function put(folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, basename(name)), content, { mode: 0o600, flush: true });
}

/** Settings that differ from the backed-up machine. Secrets are named, not shown. */
async function differingSettings({ given }: Config, backup: BackupReader): Promise<string[]> {
  const then = parseEnv((await backup.file(SETTINGS_LIST)).toString('utf8'));
  const names = [...new Set([...Object.keys(then), ...Object.keys(given)])].toSorted();
  return names
    .filter((name) => then[name] !== given[name] && !OF_THE_PLACE.has(name))
    .map((name) =>
      isSecret(name)
        ? `${name} differs`
        : `${name}: ${then[name] ?? 'not set'} in the backup, ${given[name] ?? 'not set'} here`,
    );
}

/** Settings that naturally differ by machine; keys have a separate file. */
const OF_THE_PLACE = new Set([
  ...['POSTRIDER_DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE', 'POSTRIDER_DATABASE_PORT'],
  'POSTRIDER_CELLS',
  ...['POSTRIDER_SECRET_KEY', 'POSTRIDER_SECRET_KEY_FILE', 'POSTRIDER_MORE_SECRET_KEYS'],
]);
