/**
 * The manifest of a backup: the last but one entry of its archive, so that a backup without it is incomplete. The last entry
 * is the manifest's hash.
 *
 *   journal/<epoch>.jsonl         acceptances by mail servers that were not in the database yet
 *   secret-key                    the master keys, one per line; not with --without-secret-key
 *   settings/…                    the installation's settings
 *   tables/<table>/<number>.gz    rows in the format of COPY; a table's parts concatenated are its text
 *   manifest.json
 *   manifest.json.sha256
 */
import { createHash } from 'node:crypto';
import type { CellIdentity } from '../../cells/identity.ts';
import { MAIN_CELL } from '../../database/database.ts';
import { BackupError } from './backup-error.ts';

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = `${MANIFEST}.sha256`;
export const KEYS_FILE = 'secret-key';
export const SETTINGS_FOLDER = 'settings/';
export const SETTINGS_LIST = `${SETTINGS_FOLDER}settings.env`;
export const JOURNAL_FOLDER = 'journal/';
export const TABLES_FOLDER = 'tables/';

/** Of a file, or of a table's complete text. */
export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

export interface SavedFile extends Digest {
  readonly name: string;
}

export interface SavedTable extends SavedFile {
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface SavedSequence {
  readonly name: string;
  readonly value: number;
  readonly isCalled: boolean;
}

export interface BackupManifest {
  readonly format: number;
  readonly madeAt: string;
  readonly host: string;
  readonly version: string;
  readonly postgresql: string;
  readonly schema: number;
  /** The installation and cell of the database; missing in old backups, and for databases without a stored identity. */
  readonly cell?: CellIdentity;
  /** The ids of the installation's master keys, whether or not the file includes the keys. */
  readonly keyIds: readonly string[];
  /** The first days of the weeks with partitions. */
  readonly weeks: readonly string[];
  readonly files: readonly SavedFile[];
  readonly tables: readonly SavedTable[];
  readonly sequences: readonly SavedSequence[];
}

/** A database without a stored identity is the only one. */
export function cellIn({ cell }: Pick<BackupManifest, 'cell'>): string {
  return cell?.cell ?? MAIN_CELL;
}

export function holdsKeys({ files }: BackupManifest): boolean {
  return files.some(({ name }) => name === KEYS_FILE);
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** In the format of `sha256sum`, so that `sha256sum -c` can check it. */
export function manifestHash(manifest: Buffer): Buffer {
  return Buffer.from(`${sha256(manifest)}  ${MANIFEST}\n`);
}

export function readManifest(content: Buffer): BackupManifest {
  const manifest = JSON.parse(content.toString('utf8')) as BackupManifest;
  if (manifest.format !== FORMAT) {
    throw new BackupError(
      `The backup has the format ${manifest.format}, of another version of Postrider (${manifest.version}). Restore the backup with that version.`,
    );
  }
  return manifest;
}
