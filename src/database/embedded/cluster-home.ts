/**
 * The location, port and password of a data folder's embedded PostgreSQL.
 *
 * Owns `postgres.json` in the data folder (mode 0600), written before the cluster exists, so that every cluster has a stored
 * password. The cluster itself is `postgres/` in the data folder. If root runs Postrider and PostgreSQL's account cannot enter
 * that folder, the cluster has a folder of its own under /var/lib/postrider-clusters, which `postgres.json` names.
 */
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Account, borrowAccount, canEnter } from './account.ts';

export interface ClusterHome {
  readonly dataDir: string;
  /** PostgreSQL's data directory. */
  readonly clusterDir: string;
  /** A folder that the account can reach, for a copy of the programs if one is needed. */
  readonly commonDir: string;
  readonly account: Account | undefined;
  readonly password: string;
  readonly port: number | undefined;
}

interface Saved {
  readonly cluster: string;
  readonly password: string;
  readonly port?: number | undefined;
}

export const USER = 'postrider';
export const DATABASE = 'postrider';

/**
 * Folders for root's files that the account can reach; the first one that can be created is used. Not /var/lib/postrider: that
 * is the state folder of the service (ops/postrider.service), which systemd moves and gives to the account of the service.
 */
export const SHARED_PLACES = [
  '/var/lib/postrider-clusters',
  '/usr/local/var/postrider-clusters',
  '/opt/postrider-clusters',
];

export async function openClusterHome(dataDir: string): Promise<ClusterHome> {
  await makeEnterable(dataDir);
  const saved = await load(dataDir);
  if (saved !== undefined) return reopen(dataDir, saved);
  const account = await borrowAccount(undefined);
  const commonDir = await chooseCommonDir(dataDir, account);
  // A random name instead of one derived from the path: a folder that is deleted and cloned again must not find old mail.
  const clusterDir =
    commonDir === dataDir
      ? clusterInside(dataDir)
      : join(commonDir, `cluster-${randomBytes(6).toString('hex')}`);
  if (await exists(clusterDir)) {
    throw new Error(
      `${clusterDir} holds a PostgreSQL cluster, but ${stateFile(dataDir)} with its password is missing. ` +
        'Put that file back, or set POSTRIDER_DATA_DIR to another folder.',
    );
  }
  const home = { dataDir, clusterDir, commonDir, account, password: newPassword(), port: undefined };
  await saveClusterHome(home);
  return home;
}

export async function saveClusterHome(home: ClusterHome): Promise<void> {
  const saved: Saved = { cluster: home.clusterDir, password: home.password, port: home.port };
  const file = stateFile(home.dataDir);
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}

/** The address of the data folder's embedded PostgreSQL, running or not; undefined before the first start. */
export async function embeddedPostgresUrl(dataDir: string): Promise<string | undefined> {
  const saved = await load(dataDir);
  return saved?.port === undefined ? undefined : urlFor(saved.password, saved.port);
}

/** Its address and its folder; undefined before the first start. */
export async function embeddedCluster(
  dataDir: string,
): Promise<{ readonly url: string; readonly clusterDir: string } | undefined> {
  const saved = await load(dataDir);
  if (saved?.port === undefined) return undefined;
  return { url: urlFor(saved.password, saved.port), clusterDir: await clusterDirOf(dataDir, saved) };
}

/** Sets `sslmode`, because an inherited PGSSLMODE would otherwise apply. */
export function urlFor(password: string, port: number, database: string = DATABASE): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

export async function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Below the range of outgoing connections' ports, so that it is still free after a restart. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + (randomBytes(2).readUInt16BE() % 12_000);
    if (await isPortFree(port)) return port;
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Changes the owner of a path to PostgreSQL's account. */
export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

async function reopen(dataDir: string, saved: Saved): Promise<ClusterHome> {
  const clusterDir = await clusterDirOf(dataDir, saved);
  // The port is chosen after the cluster is created, so a stored port proves that a database existed here.
  if (saved.port !== undefined && !(await exists(clusterDir))) {
    throw new Error(
      `The database of ${dataDir} was kept in ${clusterDir}, which is gone. ` +
        `Put it back, or delete ${stateFile(dataDir)} to begin with an empty one.`,
    );
  }
  const account = await borrowAccount(clusterDir);
  if (account !== undefined && (await exists(clusterDir)) && !(await canEnter(clusterDir, account))) {
    throw new Error(
      `The account that owns ${clusterDir} can no longer enter it. ` +
        'Make the folders above it enterable (chmod o+x), or set POSTRIDER_DATA_DIR to another folder.',
    );
  }
  const commonDir = clusterDir === clusterInside(dataDir) ? dataDir : join(clusterDir, '..');
  return { dataDir, clusterDir, commonDir, account, password: saved.password, port: saved.port };
}

/** A moved or copied data folder contains its own cluster; the stored path is that of the original. */
async function clusterDirOf(dataDir: string, saved: Saved): Promise<string> {
  const inside = clusterInside(dataDir);
  return (await exists(inside)) ? inside : saved.cluster;
}

function clusterInside(dataDir: string): string {
  return join(dataDir, 'postgres');
}

async function load(dataDir: string): Promise<Saved | undefined> {
  let text: string;
  try {
    text = await readFile(stateFile(dataDir), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new Error(
      `${dataDir} was made by another user and cannot be read. ` +
        'Start Postrider as that user, or set POSTRIDER_DATA_DIR to another folder.',
    );
  }
  const saved = JSON.parse(text) as Partial<Saved>;
  if (typeof saved.cluster === 'string' && typeof saved.password === 'string') return saved as Saved;
  throw new Error(`${stateFile(dataDir)} is damaged: it must hold "cluster" and "password".`);
}

async function chooseCommonDir(dataDir: string, account: Account | undefined): Promise<string> {
  if (account === undefined || (await canEnter(dataDir, account))) return dataDir;
  for (const folder of SHARED_PLACES) {
    try {
      await makeEnterable(folder);
      if (await canEnter(folder, account)) return folder;
    } catch {
      // This folder cannot be created: a read-only system, or a file of that name.
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and the account it would run as cannot enter ${dataDir} ` +
      `nor any of ${SHARED_PLACES.join(', ')}. Set POSTRIDER_DATA_DIR to a folder that others may enter.`,
  );
}

/** Other accounts may enter, whatever the umask; secret files inside have modes of their own. */
export async function makeEnterable(directory: string): Promise<void> {
  const created = await mkdir(directory, { recursive: true });
  if (created !== undefined) await chmod(directory, 0o711);
}

function stateFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

function newPassword(): string {
  return randomBytes(24).toString('hex');
}
