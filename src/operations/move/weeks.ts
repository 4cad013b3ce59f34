/** The target has a partition for every week that the source has one for, also for those that it would not have by itself. */
import { ensurePartitions, weeksBefore } from '../../database/partitions.ts';
import type { CellEnd } from './cell-end.ts';

export async function ensureSameWeeks(source: CellEnd, target: CellEnd): Promise<void> {
  const known = new Set((await weeksBefore(target.db, Number.POSITIVE_INFINITY)).map(({ name }) => name));
  for (const { name, startMs } of await weeksBefore(source.db, Number.POSITIVE_INFINITY))
    if (!known.has(name)) await ensurePartitions(target.db, startMs, 0);
}
