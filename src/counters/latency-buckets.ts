/** Latencies of deliveries in buckets that can be added up, and percentiles estimated from them. Pure. */

/** The upper bounds of the buckets in seconds; one more bucket counts everything slower. */
export const LATENCY_BUCKET_BOUNDS = [
  0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400,
] as const;

export function latencyBucket(tookMs: number): number {
  const index = LATENCY_BUCKET_BOUNDS.findIndex((bound) => tookMs <= bound * 1_000);
  return index === -1 ? LATENCY_BUCKET_BOUNDS.length : index;
}

/** Interpolates linearly within a bucket; null without any counts. */
export function latencyPercentile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = total * part;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && left <= count) return within(index, left / count);
    left -= count;
  }
  return LATENCY_BUCKET_BOUNDS.at(-1) ?? null;
}

function within(index: number, share: number): number {
  const low = LATENCY_BUCKET_BOUNDS[index - 1] ?? 0;
  const high = LATENCY_BUCKET_BOUNDS[index] ?? low;
  return Number((low + (high - low) * share).toPrecision(3));
}
