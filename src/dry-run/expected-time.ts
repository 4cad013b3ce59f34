/** The expected duration of the next delivery to a site, from recent ones. Pure. */

export interface ExpectedTime {
  readonly p50_ms: number;
  readonly p90_ms: number;
  /** The number of deliveries it is based on. */
  readonly deliveries: number;
}

/** Fewer deliveries give no useful estimate. */
const MIN_DELIVERIES = 20;

/** Null when there is too little data. */
export function expectedTime(took: readonly number[]): ExpectedTime | null {
  if (took.length < MIN_DELIVERIES) return null;
  const sorted = took.toSorted((one, other) => one - other);
  return { p50_ms: coverOf(sorted, 0.5), p90_ms: coverOf(sorted, 0.9), deliveries: sorted.length };
}

/**
 * A duration that the next delivery stays within with this probability: the next one is equally likely at any
 * rank among n + 1, so ranks are counted in n + 1.
 */
function coverOf(sorted: readonly number[], part: number): number {
  const place = Math.min(Math.ceil((sorted.length + 1) * part), sorted.length);
  return sorted[place - 1] ?? 0;
}
