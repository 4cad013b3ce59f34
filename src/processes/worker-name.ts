/** A worker as people are told of it. */
import type { Config } from '../runtime/config.ts';

/** `cell`: undefined for the first. */
export function workerName({ cell }: Pick<Config, 'cell'>): string {
  return cell === undefined ? 'worker' : `worker of ${cell}`;
}
