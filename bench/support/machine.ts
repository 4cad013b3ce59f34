/** The machine that measures, and how busy it is with other work. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Load average a core from which on others take part of what is measured. */
export const BUSY_LOAD = 0.5;

export function machine(): string {
  const cpus = os.cpus();
  const gigabytes = Math.round(os.totalmem() / 1024 ** 3);
  return `${cpus.length} x ${cpus[0]?.model.trim() ?? 'unknown processor'}, ${gigabytes} GB, ${system()}, Node ${process.version.slice(1)}`;
}

/** Of the last minute, a core. */
export function loadPerCore(): number {
  return (os.loadavg()[0] ?? 0) / os.cpus().length;
}

/** Without what the benches themselves write. */
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
