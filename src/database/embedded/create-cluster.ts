/** Creates the cluster (PostgreSQL's word for its data directory) once, with settings for a small server. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, POSTGRES_ENV } from './binaries.ts';
import { type ClusterHome, exists, giveTo, USER } from './cluster-home.ts';

const run = promisify(execFile);

const UNFINISHED = '.unfinished';

export async function ensureCluster(
  home: ClusterHome,
  binaries: Binaries,
  log: (line: string) => void,
): Promise<void> {
  await removeUnfinished(home);
  if (await exists(home.clusterDir)) return;
  log('Creating the database…');
  // A temporary name until the cluster is complete, so that an interrupted start leaves no partial cluster. The name is unique,
  // because the initdb of a recently killed start may still be writing.
  const unfinished = await mkdtemp(`${home.clusterDir}${UNFINISHED}-`);
  const passwordFile = `${home.clusterDir}.password`;
  await giveTo(home.account, unfinished);
  await writeFile(passwordFile, `${home.password}\n`, { mode: 0o600 });
  await giveTo(home.account, passwordFile);
  try {
    await initdb(home, binaries, unfinished, passwordFile);
    await rename(unfinished, home.clusterDir);
    if (home.commonDir !== home.dataDir) await leaveNote(home, log);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** A folder that cannot be removed, because another process is still writing there, is left for the next start. */
async function removeUnfinished({ clusterDir }: ClusterHome): Promise<void> {
  const folder = dirname(clusterDir);
  const beginning = `${basename(clusterDir)}${UNFINISHED}`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(beginning)) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Leaves a note beside the cluster that names its data folder: after that folder is deleted, nothing else refers to the cluster. */
async function leaveNote({ clusterDir, dataDir }: ClusterHome, log: (line: string) => void): Promise<void> {
  await writeFile(`${clusterDir}.txt`, `This is the database of Postrider's data folder ${dataDir}\n`);
  log(`It is kept in ${clusterDir}: the account that PostgreSQL runs as cannot enter ${dataDir}.`);
}

async function initdb(
  home: ClusterHome,
  binaries: Binaries,
  directory: string,
  passwordFile: string,
): Promise<void> {
  // The built-in C.UTF-8 supports Unicode's letters, sorts by code point, and needs no locale on the machine.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const settings = Object.entries(SERVER_SETTINGS).map(([name, value]) => `--set=${name}=${value}`);
  try {
    await run(binaries.initdb, ['-D', directory, ...locale, ...access, ...settings], {
      ...home.account,
      cwd: '/',
      env: POSTGRES_ENV,
    });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`PostgreSQL could not create its data directory ${directory}:\n${stderr || message}`);
  }
}

/**
 * PostgreSQL's settings for a small server. initdb writes them to the cluster's postgresql.conf, which the operator may
 * edit afterwards. Other settings keep PostgreSQL's defaults, including fsync and synchronous_commit: an acknowledged email
 * is on the disk.
 */
const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  // A hint about the kernel's cache, not an allocation.
  effective_cache_size: '512MB',
  maintenance_work_mem: '64MB',
  // For solid-state disks: a random read costs about as much as a sequential one.
  random_page_cost: '1.1',
  // Queue traffic writes many full pages after each checkpoint: fewer checkpoints, smaller pages.
  wal_compression: 'pglz',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  // Postrider's statements are short; JIT and parallel plans cost more than they save.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Not /dev/shm: containers give it 64 MB, and systemd empties it when its user logs out.
  dynamic_shared_memory_type: 'mmap',
  // The hot queue table turns over quickly, so autovacuum checks it often.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements contain addresses and mail content, which do not belong in a log file.
  log_min_error_statement: 'panic',
};
