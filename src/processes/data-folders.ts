/** Folders: those whose disks must not fill up, and where workers keep what they must not forget. */
import { join } from 'node:path';
import { embeddedCluster } from '../kit/database/embedded/cluster-home.ts';
import type { Config } from '../kit/runtime/config.ts';

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
