/**
 * The bundled PostgreSQL server, in the data folder, on loopback, with a password.
 *
 * `startEmbeddedPostgres` ends with a running server, whatever it finds. It creates a missing cluster and starts a stopped one.
 * A killed cluster is recovered by PostgreSQL, which checks its own lock file. A server whose parent was killed is adopted once
 * it has proved to serve this cluster, or ended if it answers no connection. While a handle is held, an advisory lock in the
 * server is held, too, so that a second start on the same data folder is refused. A server that admits no connection for ten
 * minutes is ended, and the supervisor starts it again.
 */
import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '../runtime/durations.ts';
import { type Binaries, findBinaries } from './embedded/binaries.ts';
import {
  type ClusterHome,
  DATABASE,
  findFreePort,
  isPortFree,
  openClusterHome,
  saveClusterHome,
  urlFor,
} from './embedded/cluster-home.ts';
import { ensureCluster } from './embedded/create-cluster.ts';
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
  /** Fails if the port is taken. By default, a free port is found once and stored in the data folder. */
  readonly port?: number | undefined;
  /** Server settings that override the cluster's own. Set only by tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Additional environment variables. Set only by tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  /** How long recovery may make no progress. Set only by tests. */
  readonly stillMs?: number;
  /** How long an existing server may take to answer, at the start and during a later recovery. Set only by tests. */
  readonly timeoutMs?: number;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Whether the server was already running. */
  readonly adopted: boolean;
  /** Resolves with a reason when the server has ended, through `stop` or otherwise. */
  readonly exited: Promise<string>;
  /** Ends sessions and writes a checkpoint. After `timeoutMs` the server is stopped at once and recovers at the next start. */
  stop(timeoutMs?: number): Promise<void>;
  kill(): void;
}

const START_WITHIN_MS = MINUTE_MS;
/** Crash recovery reads the log since the last checkpoint. This takes minutes on a slow disk and must not be interrupted. */
const RECOVER_WITHIN_MS = 600_000;
/** A server that does not answer rarely shuts down in an orderly way. */
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
      afterMs: options.timeoutMs ?? RECOVER_WITHIN_MS,
      isStill: watchOver(postmaster, options.stillMs),
      end: () => {
        options.log('PostgreSQL runs, but has not accepted connections for too long. Restarting it…');
        postmaster.kill();
      },
    });
    await ensureDatabase(home, postmaster.port);
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
 * Adopts a running server, or else starts one. Repeats while an old server is starting or stopping. A server that does not
 * answer and has no parent is ended: PostgreSQL can get stuck in its own recovery, and then stays so.
 */
async function bringUp(
  home: ClusterHome,
  binaries: Binaries,
  options: EmbeddedPostgresOptions,
): Promise<Running> {
  const timeoutMs = options.timeoutMs ?? START_WITHIN_MS;
  let deadline = performance.now() + timeoutMs;
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
      deadline = performance.now() + timeoutMs;
    }
    await delay(POLL_MS * 4);
  }
}

/** Undefined: another server process still holds the cluster. Throws if PostgreSQL cannot start at all. */
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

/** Resolves with undefined when the server answers, or with a reason after the time limit. */
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

/** ours: serves this cluster. busy: starting, recovering or stopping. down: no server, or another one. */
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

/** On a connection that ends afterwards: it read the whole template, and would keep that memory for as long as it lives. */
async function ensureDatabase(home: ClusterHome, port: number): Promise<void> {
  const client = await connectToServer(home, port);
  try {
    const { rows } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rows.length === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
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
    stop: (timeoutMs) => {
      stopping ??= owner.release().then(() => postmaster.stop(timeoutMs));
      return stopping;
    },
    kill: () => postmaster.kill(),
  };
}
