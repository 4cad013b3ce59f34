/**
 * How a site's limit is divided among the workers of all cells, without a coordinator: all of them see the same list
 * of live workers and compute the same shares, which add up to the limit. Where there are more workers than connections, all
 * workers agree on the few that serve the site. Different sites are served by different workers.
 */

import type { WorkerName } from './sending-workers.ts';

/** This worker's share of `limit`. */
export function shareOf(
  limit: number,
  site: string,
  workers: readonly WorkerName[],
  own: WorkerName,
): number {
  if (workers.length <= 1) return limit;
  const rank = rankOf(site, workers, own);
  return Math.floor(limit / workers.length) + (rank < limit % workers.length ? 1 : 0);
}

/** Whether this worker tries first after a block. Where there is one connection, this worker has it. */
export function isFirst(site: string, workers: readonly WorkerName[], own: WorkerName): boolean {
  return rankOf(site, workers, own) === 0;
}

/** Rendezvous hashing of site and worker: a worker that starts or stops does not reorder the others. */
function rankOf(site: string, workers: readonly WorkerName[], own: WorkerName): number {
  const mine = hash(`${own} ${site}`);
  let rank = 0;
  for (const worker of workers) {
    if (worker === own) continue;
    const other = hash(`${worker} ${site}`);
    if (other > mine || (other === mine && worker < own)) rank += 1;
  }
  return rank;
}

/** FNV-1a with a final mix: the epochs differ only in their last digits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
