/** The target of a restore: a data folder without an installation, and the files written into it. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { BackupReader } from '../operations/backup/backup-reader.ts';
import {
  type BackupManifest,
  holdsKeys,
  JOURNAL_FOLDER,
  KEYS_FILE,
  SETTINGS_FOLDER,
  SETTINGS_LIST,
} from '../operations/backup/manifest.ts';
import type { Config } from '../runtime/config.ts';
import { hasKeys, loadKeyRing, putKeysIntoFolder } from '../runtime/key-store.ts';
import { SECRETS } from '../runtime/secret-files.ts';
import { CliError } from './command.ts';

/** The backup's settings, for reference: this machine's own settings stay in force. */
export const SETTINGS_HERE = 'restored-settings';

/**
 * Refuses a folder that contains an installation. A key may exist before a backup without keys is restored.
 */
export async function refuseUsedFolder({ dataDir }: Config, manifest?: BackupManifest): Promise<void> {
  const found = await readdir(dataDir).catch(() => []);
  const used = ['postgres', 'postgres.json', 'journal', SETTINGS_HERE];
  if (manifest !== undefined && holdsKeys(manifest)) used.push(KEYS_FILE);
  const there = found.filter((name) => used.includes(name));
  if (there.length === 0) return;
  throw new CliError(
    `${dataDir} is not empty: it holds ${there.join(', ')}. Set POSTRIDER_DATA_DIR to another folder, or move these away.`,
  );
}

/** The keys that decrypt the backup must be present. */
export function refuseMissingKeys(config: Config, manifest: BackupManifest): void {
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
export async function putFiles(config: Config, backup: BackupReader): Promise<void> {
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
export async function putJournals(home: string, backup: BackupReader): Promise<void> {
  for (const { name } of backup.manifest.files)
    if (name.startsWith(JOURNAL_FOLDER)) await put(join(home, 'journal'), name, await backup.file(name));
}

async function put(folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, basename(name)), content, { mode: 0o600, flush: true });
}

/** Settings that differ from the backed-up machine. Secrets are named, not shown. */
export async function differingSettings({ given }: Config, backup: BackupReader): Promise<string[]> {
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

function isSecret(name: string): boolean {
  return SECRETS.some((one) => one === name);
}
