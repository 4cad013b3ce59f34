/**
 * Restores one cell of an installation whose first database exists. The present assignment in the first
 * database decides: organizations assigned to this cell but missing in the backup are registered again. If
 * mail in the backup belongs to organizations that now live elsewhere, it would be sent twice, so the restore
 * is not completed.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf } from '../cells/identity.ts';
import { changedSince } from '../cells/store.ts';
import { type Database, MAIN_CELL } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { takeOverFromAll } from '../delivery/attempt/recover.ts';
import { keepHoldingAll, openHoldLike, placeHold } from '../interventions/holds/store.ts';
import type { BackupReader } from '../operations/backup/backup-reader.ts';
import { beginRestore, finishRestore, type LoadRun, loadBackup } from '../operations/backup/load-backup.ts';
import { type BackupManifest, cellIn } from '../operations/backup/manifest.ts';
import { copyOrganization, listOrganizations } from '../organizations/store.ts';
import { organizationsWaiting } from '../outbox/status.ts';
import { journalHome } from '../processes/data-folders.ts';
import { createSchema, withOwnDatabase } from '../processes/migrate-cells.ts';
import type { Config } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { operatorName, recordOperatorAction } from './audit.ts';
import { CliError, type CommandContext, EXIT_USAGE } from './command.ts';
import { databaseUrl, withDatabase } from './installation.ts';
import { putJournals } from './restore-place.ts';

/** Refuses a file of another cell. `cell` is the requested one. */
export function refuseOtherFile(manifest: BackupManifest, cell: string = MAIN_CELL): void {
  const own = cellIn(manifest);
  if (own === cell) return;
  const is =
    own === MAIN_CELL ? 'This is a backup of the first database' : `This is a backup of the cell ${own}`;
  const how = own === MAIN_CELL ? 'leave out --cell' : `add --cell ${own}`;
  throw new CliError(`${is}, not of ${cell}: ${how} to restore it.`, EXIT_USAGE);
}

export async function restoreCell(
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
    throw new CliError(`${home} has journals of workers already. Stop them, and move it away.`);
}

async function refuseOtherInstallation(config: Config, { cell }: BackupManifest): Promise<void> {
  const main = await withOwnDatabase(await databaseUrl(config), identityOf);
  if (main?.installation_id === cell?.installation_id) return;
  throw new CliError(
    'The first database is not of the installation that this backup is of. Restore its own backup first.',
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
      `The backup has mail in the queue of ${elsewhere.join(', ')}, which the first database has in another cell: it would be sent twice. Restore the first database from the same backup, too.`,
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
