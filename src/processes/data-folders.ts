/** Folders: those whose disks must not fill up, and where workers keep what they must not forget. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedCluster, makeEnterable } from '../database/embedded/cluster-home.ts';
import type { Config } from '../runtime/config.ts';

/**
 * The data folder, and where the embedded PostgreSQL keeps its files when that is elsewhere. A database that DATABASE_URL names is its
 * own operator's to watch.
 */
export async function dataFolders({ dataDir, databaseUrl }: Config): Promise<string[]> {
  const embedded = await embeddedCluster(dataDir).catch(() => undefined);
  // The supervisor gives the roles the address of the embedded one.
  const isUsed = embedded !== undefined && (databaseUrl === undefined || databaseUrl === embedded.url);
  return isUsed ? [...new Set([dataDir, embedded.clusterDir])] : [dataDir];
}

/** Each cell counts its own epochs, so each has journals of its own. */
export function journalHome({ dataDir, cell }: Pick<Config, 'dataDir' | 'cell'>): string {
  return cell === undefined ? dataDir : join(dataDir, 'cells', cell);
}

/** Before anything else is tried: what fails later for this reason says so in other words each time. */
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
