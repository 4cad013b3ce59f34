/**
 * Everything that a bench has started, wherever it went. A process group is not enough: PostgreSQL and Postfix put themselves
 * into sessions of their own, and Postfix has no parent. Each of them works in the temporary folder of the run, or names that
 * folder in its arguments or its environment.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 5_000;
const CHECK_INTERVAL_MS = 50;

/** Ends them, with SIGKILL those that are still there after a while. Resolves when none is left. */
export async function endProcessesOf(folder: string): Promise<void> {
  signal(processesOf(folder), 'SIGTERM');
  const graceEndsMs = performance.now() + GRACE_MS;
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    if (performance.now() > graceEndsMs) signal(left, 'SIGKILL');
    await sleep(CHECK_INTERVAL_MS);
  }
}

/** None where there is no /proc; the process group has to do there. */
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

/** It may have ended meanwhile, or belong to somebody else. */
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
      // It has ended.
    }
  }
}
