/**
 * Whether a series is flat. Pure. The first quarter is warm-up and left out; the rise is the larger of two figures, so
 * that neither a step nor a slow slope gets by: what the median of the last quarter is above that of the second, and
 * what the fitted line climbs over the same time. Medians, and a line through the median of all slopes, because a
 * machine that is busy for a minute must not look like a leak, nor hide one.
 */

export interface Point {
  readonly atS: number;
  readonly value: number;
}

export type Bound =
  /** Above the second quarter, in the series' own unit. */
  | { readonly kind: 'rise'; readonly most: number }
  /** Above the second quarter, in percent of it. */
  | { readonly kind: 'rise-percent'; readonly most: number }
  /** Whatever it was before: the largest value of the last quarter. */
  | { readonly kind: 'at-most'; readonly most: number }
  /** Written down, not judged. */
  | { readonly kind: 'shown' };

export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly bound: Bound;
  readonly points: readonly Point[];
}

export interface Judgement {
  readonly name: string;
  readonly unit: string;
  readonly bound: Bound;
  /** Medians of the second and of the last quarter. */
  readonly early: number;
  readonly late: number;
  readonly largest: number;
  readonly perHour: number;
  /** What is held against the bound, in the bound's unit. */
  readonly figure: number;
  readonly isFlat: boolean;
}

/** Fewer say nothing about a quarter of an hour. */
const LEAST_POINTS = 4;
const S_PER_HOUR = 3_600;

export function judge({ name, unit, bound, points }: Series): Judgement {
  const second = quarter(points, 1);
  const last = quarter(points, 3);
  if (second.length < LEAST_POINTS || last.length < LEAST_POINTS)
    throw new Error(`${name}: ${points.length} samples are too few to judge; let it run longer.`);
  const early = median(second.map(({ value }) => value));
  const late = median(last.map(({ value }) => value));
  const slope = slopeOf([...second, ...quarter(points, 2), ...last]);
  const largest = Math.max(...last.map(({ value }) => value));
  const climbed = slope * ((endOf(points) - beginOf(points)) / 2);
  const figure = figureOf(bound, { early, largest, rise: Math.max(late - early, climbed) });
  const isFlat = bound.kind === 'shown' || figure <= bound.most;
  return { name, unit, bound, early, late, largest, perHour: slope * S_PER_HOUR, figure, isFlat };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function figureOf(
  bound: Bound,
  { early, largest, rise }: { early: number; largest: number; rise: number },
): number {
  if (bound.kind === 'at-most') return largest;
  if (bound.kind === 'rise-percent') return early === 0 ? (rise > 0 ? Infinity : 0) : (rise / early) * 100;
  return rise;
}

/** Counted from 0, by time, because samples may be missing. */
function quarter(points: readonly Point[], which: number): Point[] {
  const begin = beginOf(points);
  const length = (endOf(points) - begin) / 4;
  return points.filter(({ atS }) => Math.min(3, Math.floor((atS - begin) / length)) === which);
}

function beginOf(points: readonly Point[]): number {
  return points[0]?.atS ?? 0;
}

function endOf(points: readonly Point[]): number {
  return points.at(-1)?.atS ?? 0;
}

/** Theil and Sen: the median of the slopes between all pairs. A second. */
function slopeOf(points: readonly Point[]): number {
  const slopes: number[] = [];
  for (const [i, from] of points.entries())
    for (const to of points.slice(i + 1))
      if (to.atS > from.atS) slopes.push((to.value - from.value) / (to.atS - from.atS));
  return median(slopes);
}
