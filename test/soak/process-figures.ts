/** What the processes of an installation hold, read from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Installation } from '../storm/installation.ts';
import { childrenOf, postmasterOf, runningProcesses } from '../storm/processes.ts';

export interface ProcessFigures {
  readonly name: string;
  readonly pids: readonly number[];
  /** PostgreSQL's processes share memory, which each of them would count: theirs is what they have alone. */
  readonly memoryBytes: number;
  readonly handles: number;
  readonly threads: number;
  /** Of the processor, since it began. */
  readonly cpuS: number;
}

const TICKS_PER_S = 100;

export function processFigures(installation: Installation): ProcessFigures[] {
  const all = runningProcesses();
  const postmaster = postmasterOf(installation.clusterDir);
  const workers = installation.roles().filter(({ role }) => role === 'worker');
  const others = installation.roles().filter(({ role }) => role !== 'worker');
  return [
    ...(installation.supervisorPid === null ? [] : [figures('supervisor', [installation.supervisorPid])]),
    ...others.map(({ role, pid }) => figures(role, [pid])),
    ...workers
      .sort((a, b) => a.pid - b.pid)
      .map(({ pid }, i) => figures(workers.length === 1 ? 'worker' : `worker ${i + 1}`, [pid])),
    ...(postmaster === undefined
      ? []
      : [figures('postgres', [postmaster, ...childrenOf(postmaster, all).map(({ pid }) => pid)])]),
  ];
}

function figures(name: string, pids: readonly number[]): ProcessFigures {
  const each = pids.flatMap((pid) => readProcess(pid, name === 'postgres'));
  const sum = (of: (one: Read) => number) => each.reduce((total, one) => total + of(one), 0);
  return {
    name,
    pids: name === 'postgres' ? pids.slice(0, 1) : pids,
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
    handles: sum(({ handles }) => handles),
    threads: sum(({ threads }) => threads),
    cpuS: sum(({ cpuS }) => cpuS),
  };
}

type Read = Omit<ProcessFigures, 'name' | 'pids'>;

function readProcess(pid: number, alone: boolean): Read[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return [
      {
        memoryBytes: fieldOf(status, alone ? 'RssAnon' : 'VmRSS') * 1_024,
        handles: readdirSync(`/proc/${pid}/fd`).length,
        threads: fieldOf(status, 'Threads'),
        cpuS: cpuSecondsOf(pid),
      },
    ];
  } catch {
    return []; // it ended in the meantime
  }
}

function fieldOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** With its children that ended, because PostgreSQL's come and go. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS_PER_S;
}

/** How long all processors of the machine were busy, since it began. */
export function machineBusyS(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
  const [user, nice, system, , , irq, softirq] = line.trim().split(/\s+/).slice(1).map(Number);
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (softirq ?? 0)) / TICKS_PER_S;
}
