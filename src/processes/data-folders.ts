/** The folders whose disks must not fill up. A database that DATABASE_URL names is its own operator's to watch. */
import { embeddedCluster } from '../kit/database/embedded/cluster-home.ts';
import type { Config } from '../kit/runtime/config.ts';

/** The data folder, and where the embedded PostgreSQL keeps its files when that is elsewhere. */
export async function dataFolders({ dataDir, databaseUrl }: Config): Promise<string[]> {
  const embedded = await embeddedCluster(dataDir).catch(() => undefined);
  // The supervisor gives the roles the address of the embedded one.
  const isUsed = embedded !== undefined && (databaseUrl === undefined || databaseUrl === embedded.url);
  return isUsed ? [...new Set([dataDir, embedded.clusterDir])] : [dataDir];
}
