/** Helpers that the formats share. */
import type { ExportedRecord } from './records.ts';

export const TTL_SECONDS = 3600;

export function byZone(records: readonly ExportedRecord[]): [string, ExportedRecord[]][] {
  return [...groupBy(records, ({ zone }) => zone)];
}

/** In the order of first occurrence. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
