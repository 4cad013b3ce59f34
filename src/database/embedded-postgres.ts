/**
 * The PostgreSQL that Postrider brings along: a real one, in the data folder, on loopback, behind a password.
 *
 * `startEmbeddedPostgres` ends with a server that answers, whatever it finds: nothing at all, a cluster that
 * was stopped, one that was killed (PostgreSQL recovers it and judges its own lock file), or a server still
 * running because its parent was killed (adopted, after it has proved to serve our cluster; ended, where it answers
 * nobody). While a handle is held, so is an advisory lock in the server: a second start on the same data folder is
 * refused. A server that lets nobody in for ten minutes is ended: its exit is what the supervisor starts it again for.
 */
import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '../runtime/durations.ts';
import { type Binaries, findBinaries } from './embedded/binaries.ts';
import { ensureCluster } from './embedded/cluster.ts';
import {
  type ClusterHome,
  DATABASE,
  findFreePort,
  isPortFree,
  openClusterHome,
  saveClusterHome,
  urlFor,
} from './embedded/cluster-home.ts';
import { connectToServer, type OwnerLock, STARTING_UP, takeOwnerLock } from './embedded/owner-lock.ts';
import {
  adoptPostmaster,
  isOrphan,
  lastLogLines,
  launchPostmaster,
  logFile,
  logSize,
  type Postmaster,
  readPidFile,
  setDeadLockAside,
  startingWords,
} from './embedded/postmaster.ts';
import { recoveryProgress, StallDetector } from './embedded/stall-detector.ts';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Fails if it is taken. Without it a free port is found once and remembered in the data folder. */
  readonly port?: number | undefined;
  /** Server settings that win over the cluster's own, for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Besides what every server is given, for tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  /** How long its recovery may do nothing at all, for tests. */
  readonly stillMs?: number;
  /** How long a server that is there may take to answer: at the start, and later, when it recovers. For tests. */
  readonly patienceMs?: number;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Whether it was running already. */
  readonly adopted: boolean;
  /** Resolves with a reason when the server has ended, by `stop` or otherwise. */
  readonly exited: Promise<string>;
  /** Ends sessions and writes everything down; after `patienceMs` it is cut short and recovers at the next start. */
  stop(patienceMs?: number): Promise<void>;
  kill(): void;
}

const START_WITHIN_MS = MINUTE_MS;
/** Crash recovery reads the log since the last checkpoint: minutes on a slow disk, and it must not be cut short. */
const RECOVER_WITHIN_MS = 600_000;
/** One that does not answer hardly ends in an orderly way. */
const STUCK_STOP_MS = 500;
const POLL_MS = 50;

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await openClusterHome(options.dataDir);
  const binaries = await findBinaries(home.account, home.commonDir);
  await ensureCluster(home, binaries, options.log);
  const { postmaster, adopted } = await bringUp(home, binaries, options);
  try {
    await saveClusterHome({ ...home, port: postmaster.port });
    const owner = await takeOwnerLock(home, postmaster.port, {
      afterMs: options.patienceMs ?? RECOVER_WITHIN_MS,
      isStill: watchOver(postmaster, options.stillMs),
      end: () => {
        options.log('PostgreSQL runs, but has not accepted connections for too long. Restarting it…');
        postmaster.kill();
      },
    });
    await ensureDatabase(owner);
    return handle(home, postmaster, adopted, owner);
  } catch (error) {
    if (!adopted) await postmaster.stop();
    throw error;
  }
}

function watchOver(postmaster: Postmaster, stillMs: number | undefined): () => boolean {
  const watch = new StallDetector(stillMs);
  return () => watch.look(performance.now(), recoveryProgress(postmaster.pid, performance.now()));
}

interface Running {
  readonly postmaster: Postmaster;
  readonly adopted: boolean;
}

/**
 * Adopts what runs, else starts one; goes round again while an old server is on its way up or down. One that does not
 * answer, and that nobody looks after, is ended: PostgreSQL can get stuck in its own recovery, and then stays so.
 */
async function bringUp(
  home: ClusterHome,
  binaries: Binaries,
  options: EmbeddedPostgresOptions,
): Promise<Running> {
  const patienceMs = options.patienceMs ?? START_WITHIN_MS;
  let deadline = performance.now() + patienceMs;
  let ended: number | undefined;
  for (;;) {
    const found = await readPidFile(home);
    const state = found === undefined ? 'down' : await probe(home, found.port);
    if (found !== undefined && state === 'ours') {
      const postmaster = adoptPostmaster(home, found);
      if (options.port === undefined || options.port === found.port) return { postmaster, adopted: true };
      await postmaster.stop();
    } else if (state !== 'busy') {
      const postmaster = await tryLaunch(home, binaries, options);
      if (postmaster !== undefined) return { postmaster, adopted: false };
      await setDeadLockAside(home);
    }
    if (performance.now() > deadline) {
      if (found === undefined || found.pid === ended || !(await isOrphan(found)))
        throw new Error(await occupiedMessage(home));
      options.log('PostgreSQL runs, but does not answer, and is not supervised. Restarting it…');
      await adoptPostmaster(home, found).stop(STUCK_STOP_MS);
      ended = found.pid;
      deadline = performance.now() + patienceMs;
    }
    await delay(POLL_MS * 4);
  }
}

/** undefined: another server process still holds the cluster. Throws when PostgreSQL cannot start at all. */
async function tryLaunch(
  home: ClusterHome,
  binaries: Binaries,
  options: EmbeddedPostgresOptions,
): Promise<Postmaster | undefined> {
  const port = await choosePort(home, options.port);
  const logStart = await logSize(home);
  const postmaster = await launchPostmaster(home, binaries, port, options);
  const failure = await Promise.race([untilItAnswers(home, port, logStart, options.log), postmaster.exited]);
  if (failure === undefined) return postmaster;
  await postmaster.stop();
  const lines = await lastLogLines(home, logStart);
  if (/lock file .* already exists|pre-existing shared memory block/.test(lines)) return undefined;
  if (/Address already in use/.test(lines)) {
    if (options.port === undefined) return undefined;
    throw new Error(portTaken(port));
  }
  throw new Error(`PostgreSQL did not start (${failure}). The end of ${logFile(home)}:\n${lines}`);
}

async function choosePort(home: ClusterHome, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    if (await isPortFree(wanted)) return wanted;
    throw new Error(portTaken(wanted));
  }
  if (home.port !== undefined && (await isPortFree(home.port))) return home.port;
  return findFreePort();
}

function portTaken(port: number): string {
  return (
    `Port ${port} on 127.0.0.1 is taken, so PostgreSQL cannot use it. ` +
    'Set POSTRIDER_DATABASE_PORT to a free port, or leave it out to let Postrider find one.'
  );
}

/** Resolves with undefined when the server answers, with a reason when it took too long. */
async function untilItAnswers(
  home: ClusterHome,
  port: number,
  logStart: number,
  log: (line: string) => void,
): Promise<string | undefined> {
  const began = performance.now();
  let told = false;
  for (;;) {
    const state = await probe(home, port);
    if (state === 'ours') return undefined;
    const waitedMs = performance.now() - began;
    if (state === 'busy' && waitedMs > 2_000 && !told) {
      log(startingWords(await lastLogLines(home, logStart)));
      told = true;
    }
    if (waitedMs > (state === 'busy' ? RECOVER_WITHIN_MS : START_WITHIN_MS))
      return 'it did not answer in time';
    await delay(POLL_MS);
  }
}

/** ours: serves our cluster. busy: starting up, recovering or shutting down. down: nothing, or someone else. */
async function probe(home: ClusterHome, port: number): Promise<'ours' | 'busy' | 'down'> {
  const client = await connectToServer(home, port).catch((error: { code?: string }) => error.code ?? '');
  if (typeof client === 'string') return client === STARTING_UP ? 'busy' : 'down';
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const serves = await realpath(rows[0]?.data_directory ?? '');
    return serves === (await realpath(home.clusterDir)) ? 'ours' : 'down';
  } catch {
    return 'busy';
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function occupiedMessage(home: ClusterHome): Promise<string> {
  const found = await readPidFile(home);
  return (
    `Another process${found ? ` (${found.pid})` : ''} holds ${home.clusterDir} and does not answer. ` +
    'Stop it, or set POSTRIDER_DATA_DIR to another folder.'
  );
}

async function ensureDatabase(owner: OwnerLock): Promise<void> {
  const found = await owner.query('select from pg_database where datname = $1', [DATABASE]);
  if (found.length === 0) await owner.query(`create database ${DATABASE}`);
}

function handle(
  home: ClusterHome,
  postmaster: Postmaster,
  adopted: boolean,
  owner: OwnerLock,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const exited = postmaster.exited.then(async (reason) => {
    await owner.release();
    return reason;
  });
  return {
    url: urlFor(home.password, postmaster.port),
    port: postmaster.port,
    pid: postmaster.pid,
    adopted,
    exited,
    stop: (patienceMs) => {
      stopping ??= owner.release().then(() => postmaster.stop(patienceMs));
      return stopping;
    },
    kill: () => postmaster.kill(),
  };
}
