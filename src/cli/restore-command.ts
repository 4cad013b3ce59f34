/** `npx postrider restore` creates an installation from a backup in an empty place, and holds its mail. */
import { join } from 'node:path';
import { MAIN_CELL } from '../database/database.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { knownSchema, migrate } from '../database/migrate.ts';
import { takeOverFromAll } from '../delivery/attempt/recover.ts';
import { keepHoldingAll, placeHold } from '../interventions/holds/store.ts';
import { BackupReader } from '../operations/backup/backup-reader.ts';
import { beginRestore, finishRestore, type LoadRun, loadBackup } from '../operations/backup/load-backup.ts';
import { type BackupManifest, cellIn } from '../operations/backup/manifest.ts';
import type { Config } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { operatorName, recordOperatorAction } from './audit.ts';
import { contentsWords, inWords } from './backup-command.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext } from './command.ts';
import { openDatabase, refuseUnreachable } from './installation.ts';
import { refuseOtherFile, restoreCell } from './restore-cell.ts';
import {
  differingSettings,
  putFiles,
  refuseMissingKeys,
  refuseUsedFolder,
  SETTINGS_HERE,
} from './restore-place.ts';

export const restoreCommand: Command = {
  name: 'restore',
  positionals: ['FILE'],
  required: {},
  optional: { cell: 'NAME' },
  summary:
    'Make an installation of a backup, in an empty place; its mail and webhooks are held until `release`. With --cell, one cell of it',
  explains: {
    FILE: 'the backup',
    '--cell': 'restore one cell of an installation whose first database is there',
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
      'Mail is accepted and held, and so are webhooks: nothing is sent until `npx postrider release`, which says first how much would go.',
    ],
  };
}

function cellLine(name: string): string {
  return `The cell ${name} was left as it is, and is not held. Restore its file of the same backup: npx postrider restore FILE --cell ${name}`;
}
