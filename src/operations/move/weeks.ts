/** Creates partitions in the target for every week of the source, including weeks that the target would not have on its own. */
import { ensurePartitions, weeksBefore } from '../../database/partitions.ts';
import type { CellEnd } from './cell-end.ts';

export async function ensureSameWeeks(source: CellEnd, target: CellEnd): Promise<void> {
  const known = new Set((await weeksBefore(target.db, Number.POSITIVE_INFINITY)).map(({ name }) => name));
  for (const { name, startMs } of await weeksBefore(source.db, Number.POSITIVE_INFINITY))
    if (!known.has(name)) await ensurePartitions(target.db, startMs, 0);
}
