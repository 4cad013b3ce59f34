import { readFileSync } from 'node:fs';

/** What a process has in memory now, on Linux. */
export function residentMegabytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return Math.round((pages * 4096) / 1024 / 1024);
}

/** The process's proportional share (PSS): memory that several processes share is divided among them, so sums are true. */
export function proportionalMegabytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
}
