/**
 * Decides whether the share of a canary rises, falls or stays: a step up while mail on the new path fares no worse than on the
 * old one, back to the old path as soon as it does. A pure function of facts.
 */
import { type Canary, RATES, type Rate } from './plan.ts';

/** The outcomes of mail on one path. */
export interface PathCounts {
  readonly sent: number;
  /** Deferred at the first attempt, or sent on the other path because this one was unavailable. */
  readonly deferred: number;
  readonly bounced: number;
  readonly complained: number;
}

export interface BothPaths {
  readonly old: PathCounts;
  readonly new: PathCounts;
}

export interface CanaryFacts {
  /** The share of the provider's mail; 0 while all of it takes the old path. */
  readonly percent: number;
  /** How long the share has been at this percentage. */
  readonly ageMs: number;
  /** The number of falls since it last reached the end. */
  readonly falls: number;
  /** A paused canary does not rise. */
  readonly isPaused: boolean;
  /** Of this step: the last minutes, the last hour, all of it. Old results must not hide current ones. */
  readonly periods: readonly BothPaths[];
  /** Earlier outcomes on the old path, for when little mail is left there. */
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
/** The probability below which an observation proves that the new path is worse. Per review; there are thousands a day. */
const BEYOND_DOUBT = -Math.log(1e-9);
/** If the old path has less mail than this, the usual rates fill up the rest. */
const FILLED_UP_TO = 200;
/** The assumed usual rates without data, and how many emails the assumption counts for. */
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

/** How long all mail stays on the old path after a fall; it doubles with each fall. */
export function restMinutes(falls: number): number {
  return falls === 0 ? 0 : Math.min(FIRST_REST_MINUTES * 2 ** (falls - 1), LONGEST_REST_MINUTES);
}

/**
 * Whether these counts would be almost impossible if the new path's rate exceeded the old one's by at most the tolerance,
 * whatever the true old rate is. Uses Chernoff's bound for both paths together, at the rate that explains the counts best, so
 * it errs towards staying.
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

/** The Kullback-Leibler divergence of a coin that shows `seen` and is expected to show `real`. */
function divergence(seen: number, real: number): number {
  return part(seen, real) + part(1 - seen, 1 - real);
}

function part(seen: number, real: number): number {
  return seen === 0 ? 0 : seen * Math.log(seen / Math.max(real, Number.MIN_VALUE));
}

const NARROWINGS = 60;

/** The minimum of a function that falls and then rises. */
function lowest(of: (at: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let i = 0; i < NARROWINGS; i += 1) {
    const third = (high - low) / 3;
    if (of(low + third) < of(high - third)) high -= third;
    else low += third;
  }
  return of((low + high) / 2);
}
