/** Folders whose disks must not fill up, and folders of workers' journals. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedCluster, makeEnterable } from '../database/embedded/cluster-home.ts';
import type { Config } from '../runtime/config.ts';

/**
 * The data folder, and the embedded PostgreSQL's folder if that is elsewhere. The operator of an external
 * database must watch its disks.
 */
export async function dataFolders({ dataDir, databaseUrl }: Config): Promise<string[]> {
  const embedded = await embeddedCluster(dataDir).catch(() => undefined);
  // The supervisor sets the roles' DATABASE_URL to the embedded database.
  const isUsed = embedded !== undefined && (databaseUrl === undefined || databaseUrl === embedded.url);
  return isUsed ? [...new Set([dataDir, embedded.clusterDir])] : [dataDir];
}

/** Epochs are counted per cell, so each cell has its own journals. */
export function journalHome({ dataDir, cell }: Pick<Config, 'dataDir' | 'cell'>): string {
  return cell === undefined ? dataDir : join(dataDir, 'cells', cell);
}

/** Checked first, because a read-only folder causes misleading errors later. */
export async function refuseUnwritable(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.writable-${process.pid}`);
  try {
    await makeEnterable(dataDir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data folder ${dataDir} cannot be written to (${UNWRITABLE[code ?? ''] ?? code}). Make it writable for the account that Postrider runs as (${process.getuid?.() ?? 'this one'}), or set POSTRIDER_DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}

const UNWRITABLE: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file stands in its way',
  EEXIST: 'a file stands in its way',
  ENOSPC: 'the disk is full',
};
