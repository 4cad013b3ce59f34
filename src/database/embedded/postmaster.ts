/**
 * One running PostgreSQL server ("postmaster"): a child process, or an adopted server whose parent was killed. States: running
 * → stopping → exited. `exited` resolves once, with a reason.
 *
 * The server runs in a session of its own, so that a Ctrl-C in the terminal reaches only Postrider, which stops the server
 * last. It logs to a file, so that it can outlive Postrider without a broken pipe.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { release } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Binaries, POSTGRES_ENV } from './binaries.ts';
import type { ClusterHome } from './cluster-home.ts';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly exited: Promise<string>;
  stop(timeoutMs?: number): Promise<void>;
  /** Stops immediately, without waiting. */
  kill(): void;
}

type Server = Omit<Postmaster, 'stop' | 'kill'>;

interface PidFile {
  readonly pid: number;
  readonly port: number;
}

const IMMEDIATE_AFTER_MS = 5_000;
const KILL_AFTER_MS = 2_000;
const POLL_MS = 100;
const MAX_LOG_BYTES = 10 * 1024 * 1024;

type Settings = Readonly<Record<string, string>>;

/**
 * How PostgreSQL syncs all its files before crash recovery. Single files take seconds with Postrider's partitions, and no mail
 * is accepted meanwhile; a whole file system takes a moment. Linux reports the errors of that call since 5.8; other systems do
 * not have it.
 */
export function syncMethod(platform: NodeJS.Platform, kernel: string): 'syncfs' | 'fsync' {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  return platform === 'linux' && (major > 5 || (major === 5 && minor >= 8)) ? 'syncfs' : 'fsync';
}

export async function launchPostmaster(
  home: ClusterHome,
  binaries: Binaries,
  port: number,
  { settings = {}, env = {} }: { readonly settings?: Settings; readonly env?: Settings },
): Promise<Postmaster> {
  const args = ['-D', home.clusterDir, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
  // No Unix socket: its path would have to be short and reachable.
  args.push('-c', 'unix_socket_directories=');
  args.push('-c', `recovery_init_sync_method=${syncMethod(process.platform, release())}`);
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  await rotateLog(logFile(home));
  const log = openSync(logFile(home), 'a', 0o600);
  try {
    const child = spawn(binaries.postgres, args, {
      ...home.account,
      cwd: '/',
      env: { ...POSTGRES_ENV, ...env },
      detached: true,
      stdio: ['ignore', log, log],
    });
    return ofChild(child, port);
  } finally {
    closeSync(log);
  }
}

/** An already running server. Its end can only be detected by polling. */
export function adoptPostmaster(home: ClusterHome, found: PidFile): Postmaster {
  const exited = (async () => {
    while (await isStillServing(home, found)) await delay(POLL_MS, undefined, { ref: false });
    return 'it went away';
  })();
  return withStop({ pid: found.pid, port: found.port, exited });
}

/** The contents of PostgreSQL's lock file; undefined if there is none. Postrider never deletes it. */
export async function readPidFile(home: ClusterHome): Promise<PidFile | undefined> {
  try {
    const lines = (await readFile(join(home.clusterDir, 'postmaster.pid'), 'utf8')).split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    return pid > 0 && port > 0 ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the server's parent, a program like this one, is gone. Detected only with /proc; elsewhere no server counts as an
 * orphan.
 */
export async function isOrphan({ pid }: PidFile): Promise<boolean> {
  try {
    const parent = /^PPid:\s*(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    const [program = ''] = (await readFile(`/proc/${parent}/cmdline`, 'utf8')).split('\0');
    return basename(program) !== basename(process.execPath);
  } catch {
    return false;
  }
}

/**
 * PostgreSQL treats the lock file of a killed server as live while any process of its account has the same pid. This happens in
 * containers: if their first process does not reap children, the server stays a zombie; and after a restart pids begin again,
 * so that another process gets the same one. Only then is the file renamed, when the server is certainly dead.
 */
export async function setDeadLockAside(home: ClusterHome): Promise<void> {
  const found = await readPidFile(home);
  if (found === undefined) return;
  const status = await readFile(`/proc/${found.pid}/status`, 'utf8').catch(() => '');
  if (status === '' || (/^Name:\s*postgres$/m.test(status) && !/^State:\s*Z/m.test(status))) return;
  const file = join(home.clusterDir, 'postmaster.pid');
  await rename(file, `${file}.dead`).catch(() => undefined);
}

export function logFile(home: ClusterHome): string {
  return join(home.dataDir, 'postgres.log');
}

/** The last lines of the server's log after this offset. */
export async function lastLogLines(home: ClusterHome, fromByte: number): Promise<string> {
  const bytes = await readFile(logFile(home)).catch(() => Buffer.alloc(0));
  return bytes.subarray(fromByte).toString('utf8').trimEnd().split('\n').slice(-12).join('\n');
}

/** The reason for a slow start, from the server's log: only a server that was not shut down recovers from a crash. */
export function startingWords(lines: string): string {
  return /was not properly shut down|database system was interrupted/.test(lines)
    ? 'PostgreSQL is recovering from a crash…'
    : 'PostgreSQL is starting, and takes longer than usual…';
}

export async function logSize(home: ClusterHome): Promise<number> {
  return stat(logFile(home)).then(
    ({ size }) => size,
    () => 0,
  );
}

function ofChild(child: ChildProcess, port: number): Postmaster {
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
  return withStop({ pid: child.pid ?? -1, port, exited });
}

function withStop(server: Server): Postmaster {
  let stopping: Promise<void> | undefined;
  return {
    ...server,
    stop: (timeoutMs = IMMEDIATE_AFTER_MS) => {
      stopping ??= shutDown(server, timeoutMs);
      return stopping;
    },
    kill: () => void send(server.pid, 'SIGQUIT'),
  };
}

/**
 * A fast shutdown (SIGINT: ends sessions, writes a checkpoint), then an immediate one (SIGQUIT: recovers at the next start).
 */
async function shutDown({ pid, exited }: Server, fastForMs: number): Promise<void> {
  const gone = exited.then(() => true);
  for (const [signal, timeoutMs] of [
    ['SIGINT', fastForMs],
    ['SIGQUIT', KILL_AFTER_MS],
    ['SIGKILL', KILL_AFTER_MS],
  ] as const) {
    if (!send(pid, signal)) return;
    const waiting = new AbortController();
    const timeout = delay(timeoutMs, false, { signal: waiting.signal }).catch(() => false);
    const done = await Promise.race([gone, timeout]);
    waiting.abort();
    if (done) return;
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Checks the lock file, too: an orphan without a reaper keeps its pid after it has ended. */
async function isStillServing(home: ClusterHome, { pid }: PidFile): Promise<boolean> {
  return send(pid, 0) && (await readPidFile(home))?.pid === pid;
}

/** Only at a start, because a running PostgreSQL keeps the file open. */
async function rotateLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (one) => one.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
}
