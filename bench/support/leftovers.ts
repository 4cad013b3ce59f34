/**
 * Finds all processes that a bench has started. A process group is not enough: PostgreSQL and Postfix start sessions of their own,
 * and Postfix has no parent. Each of these processes works in the temporary folder of the run, or has that folder in its
 * arguments or its environment.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 5_000;
const CHECK_INTERVAL_MS = 50;

/** Ends these processes, after a while with SIGKILL. Resolves when none is left. */
export async function endProcessesOf(folder: string): Promise<void> {
  signal(processesOf(folder), 'SIGTERM');
  const graceEndsMs = performance.now() + GRACE_MS;
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    if (performance.now() > graceEndsMs) signal(left, 'SIGKILL');
    await sleep(CHECK_INTERVAL_MS);
  }
}

/** Empty on systems without /proc, where only the process group is ended. */
export function processesOf(folder: string): number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && isOf(name, folder))
    .map(Number);
}

function isOf(pid: string, folder: string): boolean {
  const [cwd, ...texts] = [
    () => readlinkSync(`/proc/${pid}/cwd`),
    () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    () => readFileSync(`/proc/${pid}/environ`, 'utf8'),
  ].map(readOrNothing);
  return `${cwd}/`.startsWith(`${folder}/`) || texts.some((text) => text.includes(folder));
}

/** Returns nothing if the process has ended meanwhile or belongs to another user. */
function readOrNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function signal(pids: readonly number[], name: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended.
    }
  }
}
