/** What runs on this machine, read from /proc: whose child, which role, which connections it holds. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

export interface RoleProcess {
  readonly role: string;
  readonly pid: number;
}

export function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      return []; // it ended in the meantime
    }
  });
}

/** Every role of the installation in this data folder, also those whose supervisor is gone. */
export function rolesOf(dataDir: string, all = runningProcesses()): RoleProcess[] {
  return all.flatMap(({ pid, command }) => {
    const role = /(?:dist\/processes\/|test\/storm\/quick-)([a-z-]+)\.m?js/.exec(command)?.[1];
    if (role === undefined || role === 'start' || role === 'cli') return [];
    return dataFolderOf(pid)?.startsWith(dataDir) ? [{ role, pid }] : [];
  });
}

function dataFolderOf(pid: number): string | undefined {
  try {
    return /(?:^|\0)POSTRIDER_DATA_DIR=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** The postmaster of a cluster; undefined while there is none. */
export function postmasterOf(clusterDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(`${clusterDir}/postmaster.pid`, 'utf8').split('\n')[0]);
    return isRunning(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Everything that runs for this data folder: supervisor and roles, PostgreSQL, what makes its files, and their children. */
export function processesOf(dataDir: string): RunningProcess[] {
  const all = runningProcesses();
  const found = new Map(
    all
      .filter(({ pid, command }) => command.includes(`${dataDir}/postgres`) || dataFolderOf(pid) === dataDir)
      .map((one) => [one.pid, one]),
  );
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const one of all) if (found.has(one.parent)) found.set(one.pid, one);
  }
  return [...found.values()];
}

/** Bytes of memory that the process has in use; 0 when it is gone. */
export function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
  } catch {
    return 0;
  }
}

/** What the postmaster started, in words such as `postgres: postrider postrider 127.0.0.1(43210) idle`. */
export function childrenOf(parent: number, all = runningProcesses()): RunningProcess[] {
  return all.filter((one) => one.parent === parent);
}

/**
 * A process's TCP connections by its own ports, with how many bytes of each it has not read: those that lie in its socket,
 * and those that the other end wrote and nobody has acknowledged. On a busy machine the kernel carries a packet from one
 * end of the loopback to the other some time after it was written.
 */
export function connectionsOf(pid: number): Map<number, number> {
  const inodes = new Set<string>();
  try {
    for (const name of readdirSync(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(linkAt(`/proc/${pid}/fd/${name}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  } catch {
    return new Map();
  }
  const all = tcpSockets();
  const onTheWay = new Map(
    all.map(({ local, remote, unacknowledged }) => [`${remote} ${local}`, unacknowledged]),
  );
  const own = all.filter(({ inode }) => inodes.has(inode));
  return new Map(
    own.map(({ local, remote, received }) => [
      Number.parseInt(local.split(':')[1] ?? '', 16),
      received + (onTheWay.get(`${local} ${remote}`) ?? 0),
    ]),
  );
}

interface TcpSocket {
  /** Address and port in hexadecimal digits. */
  readonly local: string;
  readonly remote: string;
  readonly unacknowledged: number;
  readonly received: number;
  readonly inode: string;
}

function tcpSockets(): TcpSocket[] {
  const lines = readFileSync('/proc/net/tcp', 'latin1').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [, local = '', remote = '', , queues = '', , , , , inode = ''] = line.trim().split(/\s+/);
    const [unacknowledged = 0, received = 0] = queues.split(':').map((bytes) => Number.parseInt(bytes, 16));
    return { local, remote, unacknowledged, received, inode };
  });
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** False when there is nobody of that id any more. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
