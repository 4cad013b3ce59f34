/** How long the next delivery to a site takes, by how long the last ones took. Pure. */

export interface ExpectedTime {
  readonly p50_ms: number;
  readonly p90_ms: number;
  /** How many it is judged by. */
  readonly deliveries: number;
}

/** Fewer say nothing. */
const MIN_DELIVERIES = 20;

/** Null where too little is known. */
export function expectedTime(took: readonly number[]): ExpectedTime | null {
  if (took.length < MIN_DELIVERIES) return null;
  const sorted = took.toSorted((one, other) => one - other);
  return { p50_ms: coverOf(sorted, 0.5), p90_ms: coverOf(sorted, 0.9), deliveries: sorted.length };
}

/**
 * The time that the next one stays within with that probability: of n and one more, each is as likely to be at any place, so
 * the place is counted among n + 1.
 */
function coverOf(sorted: readonly number[], part: number): number {
  const place = Math.min(Math.ceil((sorted.length + 1) * part), sorted.length);
  return sorted[place - 1] ?? 0;
}
