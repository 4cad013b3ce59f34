import { readFileSync } from 'node:fs';

/** The resident memory of a process now, on Linux. */
export function residentMegabytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return Math.round((pages * 4096) / 1024 / 1024);
}

/** The proportional set size (PSS): shared memory is divided among its processes, so that the sum is correct. */
export function proportionalMegabytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
}
