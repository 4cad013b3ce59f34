/**
 * Whether the share of a canary rises, falls or stays: a step up while mail on the new way fares no worse than on the old one,
 * back to the old one as soon as it does. Facts in, decision out. Pure.
 */
import { type Canary, RATES, type Rate } from './plan.ts';

/** What became of mail on one way. */
export interface PathCounts {
  readonly sent: number;
  /** Put off at the first attempt, or sent the other way because this one could not be taken. */
  readonly deferred: number;
  readonly bounced: number;
  readonly complained: number;
}

/** Both ways in the same time. */
export interface BothPaths {
  readonly old: PathCounts;
  readonly new: PathCounts;
}

export interface CanaryFacts {
  /** Of the provider's mail; 0 while none goes the new way. */
  readonly percent: number;
  /** How long it has been so. */
  readonly ageMs: number;
  /** How often it fell since it last reached the end. */
  readonly falls: number;
  /** Does not rise. */
  readonly isPaused: boolean;
  /** Of this step: the last minutes, the last hour, all of it. What was long ago must not hide what is now. */
  readonly periods: readonly BothPaths[];
  /** What became of mail on the old way before, for when little of it is left. */
  readonly usual: PathCounts | null;
}

export type CanaryMove =
  | { readonly kind: 'stay' }
  | { readonly kind: 'rise'; readonly percent: number }
  | { readonly kind: 'fall'; readonly rate: Rate; readonly period: BothPaths };

export const NOTHING_SENT: PathCounts = { sent: 0, deferred: 0, bounced: 0, complained: 0 };

const MINUTE_MS = 60_000;
const FIRST_REST_MINUTES = 60;
const LONGEST_REST_MINUTES = 24 * 60;
/** How unlikely what was seen must be while the new way is within bounds. Of one look; there are thousands in a day. */
const BEYOND_DOUBT = -Math.log(1e-9);
/** With less mail than this on the old way, what was usual before fills up the rest. */
const FILLED_UP_TO = 200;
/** What is taken for usual where nobody knows, and how many mails that counts for. */
const PRIOR: Readonly<Record<Rate, number>> = { deferred: 0.01, bounced: 0.01, complained: 0.0005 };
const PRIOR_MAILS = 20;

export function decideCanary(plan: Canary, facts: CanaryFacts): CanaryMove {
  const { percent, ageMs, falls, isPaused, periods } = facts;
  if (percent > 0)
    for (const period of periods)
      for (const rate of RATES)
        if (isWorse(period, rate, plan.worse[rate], facts.usual)) return { kind: 'fall', rate, period };
  const next = plan.percents.find((one) => one > percent);
  if (isPaused || next === undefined) return { kind: 'stay' };
  const isDue =
    percent === 0
      ? ageMs >= restMinutes(falls) * MINUTE_MS
      : ageMs >= plan.minutes * MINUTE_MS && (periods.at(-1)?.new.sent ?? 0) >= plan.mails;
  return isDue ? { kind: 'rise', percent: next } : { kind: 'stay' };
}

/** After a fall nothing goes the new way for so long; longer each time. */
export function restMinutes(falls: number): number {
  return falls === 0 ? 0 : Math.min(FIRST_REST_MINUTES * 2 ** (falls - 1), LONGEST_REST_MINUTES);
}

/**
 * Whether it would be a wonder to see this on both ways, whatever the rate of the old way really is, if that of the new one were at
 * most so much larger. Chernoff's bound for both together, at the rate that explains it best: it errs towards staying.
 */
function isWorse(
  { old, new: fresh }: BothPaths,
  rate: Rate,
  worse: number,
  usual: PathCounts | null,
): boolean {
  if (fresh.sent === 0) return false;
  const before = filledUp(old, rate, usual);
  const seen = Math.min(1, fresh[rate] / fresh.sent);
  if (seen <= before.rate + worse) return false;
  const surprise = (real: number) =>
    before.sent * divergence(before.rate, real) + fresh.sent * divergence(seen, Math.min(1, real + worse));
  return lowest(surprise, before.rate, Math.min(1, seen)) > BEYOND_DOUBT;
}

function filledUp(old: PathCounts, rate: Rate, usual: PathCounts | null): { sent: number; rate: number } {
  const { sent, [rate]: count } = usual ?? NOTHING_SENT;
  const usualRate = Math.min(1, (count + PRIOR[rate] * PRIOR_MAILS) / (sent + PRIOR_MAILS));
  const filling = Math.max(0, FILLED_UP_TO - old.sent);
  const total = old.sent + filling;
  return { sent: total, rate: Math.min(1, (old[rate] + usualRate * filling) / total) };
}

/** Kullback and Leibler's, of a coin that shows `seen` where `real` is expected. */
function divergence(seen: number, real: number): number {
  return part(seen, real) + part(1 - seen, 1 - real);
}

function part(seen: number, real: number): number {
  return seen === 0 ? 0 : seen * Math.log(seen / Math.max(real, Number.MIN_VALUE));
}

const NARROWINGS = 60;

/** Of a function that falls and then rises. */
function lowest(of: (at: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let i = 0; i < NARROWINGS; i += 1) {
    const third = (high - low) / 3;
    if (of(low + third) < of(high - third)) high -= third;
    else low += third;
  }
  return of((low + high) / 2);
}
