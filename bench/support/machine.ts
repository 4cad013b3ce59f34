/** The machine that measures, and how busy it is with other work. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Above this share of all cores, other work distorts a measurement. */
export const BUSY_SHARE = 0.1;

export function machine(): string {
  const cpus = os.cpus();
  const gigabytes = Math.round(os.totalmem() / 1024 ** 3);
  return `${cpus.length} x ${cpus[0]?.model.trim() ?? 'unknown processor'}, ${gigabytes} GB, ${system()}, Node ${process.version.slice(1)}`;
}

/** The share of all cores in use during the next `durationMs`. A load average would include the previous bench. */
export async function busyShare(durationMs: number): Promise<number> {
  const before = cpuTimes();
  await sleep(durationMs);
  const after = cpuTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function cpuTimes(): { readonly idle: number; readonly all: number } {
  let [idle, all] = [0, 0];
  for (const { times } of os.cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, all };
}

/** The commit, marked if files have changed other than the results of benches. */
export function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!bench/RESULTS.md', ':!bench/charts') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with uncommitted changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

function system(): string {
  try {
    const name = /^PRETTY_NAME="(.+)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    return `${name ?? process.platform} ${process.arch}`;
  } catch {
    return `${process.platform} ${process.arch}`;
  }
}
