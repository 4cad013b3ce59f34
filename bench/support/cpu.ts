/** Processor time of a process and its descendants, on Linux. Unlike elapsed time, it depends little on other load. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface Process {
  readonly parent: number;
  readonly seconds: number;
}

/** Seconds used so far by `root` and its descendants, including ended processes that were waited for. */
export function cpuSeconds(root: number): number {
  const all = processes();
  return withDescendants(root, all).reduce((sum, pid) => sum + (all.get(pid)?.seconds ?? 0), 0);
}

/** Seconds used by the ended descendants of this process. */
export function endedChildrenCpuSeconds(): number {
  return (
    statOf('self')
      .slice(13, 15)
      .reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND
  );
}

/** The ids of a process and its running descendants. */
export function processTree(root: number): number[] {
  return withDescendants(root, processes());
}

/** Seconds that the main thread of a process has waited for a processor so far: field 2 of its schedstat. */
export function processorWaitSeconds(pid: number): number {
  const [, waitNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return (waitNs ?? 0) / 1e9;
}

function withDescendants(root: number, all: ReadonlyMap<number, Process>): number[] {
  const children = [...all].filter(([, { parent }]) => parent === root);
  return [root, ...children.flatMap(([pid]) => withDescendants(pid, all))];
}

function processes(): Map<number, Process> {
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const process = read(name);
    if (process !== null) all.set(Number(name), process);
  }
  return all;
}

/** Fields 4 (parent) and 14 to 17 (own and children's user and system time) of proc(5); null if the process has ended. */
function read(pid: string): Process | null {
  try {
    const fields = statOf(pid);
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
    return { parent: fields[1] ?? 0, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

/** The fields from field 3 on, which follows the name. */
function statOf(pid: string): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}
