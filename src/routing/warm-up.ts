/**
 * Warming up an address: how many mails a day it may send to a provider that does not know it yet. It starts low, and rises a
 * step after every day that went well; deferrals and complaints hold it or bend it down. Pure.
 */

/** What becomes of mail that is too much for today. */
export const OVER_ALLOWANCE = ['fallback', 'wait'] as const;
export type OverAllowance = (typeof OVER_ALLOWANCE)[number];

export interface WarmUp {
  /** The first day, in UTC. */
  readonly since: string;
  /** Mails a day, step by step; behind the last step it is warm, and nothing is limited. */
  readonly curve: readonly number[];
  /** Instead, for mail to these providers. */
  readonly curves: Readonly<Record<string, readonly number[]>>;
  readonly over: OverAllowance;
}

/** About doubling, as the large providers advise; a month until it is warm. */
export const DEFAULT_CURVE: readonly number[] = [
  ...[50, 100, 150, 250, 400, 600, 900, 1_300, 1_900, 2_700, 3_800, 5_400, 7_600, 10_500],
  ...[15_000, 20_000, 28_000, 38_000, 50_000, 70_000, 100_000],
];
/** Those that are known to be slow to trust. */
export const DEFAULT_CURVES: Readonly<Record<string, readonly number[]>> = {
  microsoft: DEFAULT_CURVE.map((mails) => Math.ceil(mails / 2)),
  'microsoft-consumer': DEFAULT_CURVE.map((mails) => Math.ceil(mails / 2)),
  yahoo: DEFAULT_CURVE.map((mails) => Math.ceil(mails / 2)),
};

/** One day of an address with a provider. */
export interface WarmUpDay {
  readonly day: string;
  readonly used: number;
  readonly delivered: number;
  /** Refused, or put off, because of who sends. */
  readonly objected: number;
  readonly complained: number;
}

export function curveFor({ curve, curves }: WarmUp, provider: string): readonly number[] {
  return curves[provider] ?? curve;
}

/** A day with less than this part of what was allowed says little, and raises nothing. */
const LEAST_USED = 0.25;
const TOO_MANY = { objected: 0.05, complained: 0.001 };
const FAR_TOO_MANY = { objected: 0.2, complained: 0.003 };
const STEPS_BACK = 2;

/** What left on a day: once an address is warm nothing is taken of an allowance any more, and what became of it says it. */
export function sentOn({ used, delivered, objected }: WarmUpDay): number {
  return used > 0 ? used : delivered + objected;
}

/** Which step of the curve an address is at, after the days before today, oldest first; one past the last when it is warm. */
export function stepAfter(curve: readonly number[], days: readonly WarmUpDay[]): number {
  const move = (step: number, day: WarmUpDay) => step + moveAfter(day, curve[step]);
  return days.reduce((step, day) => Math.min(curve.length, Math.max(0, move(step, day))), 0);
}

function moveAfter(day: WarmUpDay, allowed: number | undefined): number {
  if (isBeyond(day, FAR_TOO_MANY)) return -STEPS_BACK;
  if (isBeyond(day, TOO_MANY)) return 0;
  return sentOn(day) >= LEAST_USED * (allowed ?? 0) ? 1 : 0;
}

function isBeyond(day: WarmUpDay, most: typeof TOO_MANY): boolean {
  const { delivered, objected, complained } = day;
  return (
    objected > most.objected * Math.max(1, sentOn(day)) ||
    complained > most.complained * Math.max(1, delivered)
  );
}

/** How many today; null where it is warm. */
export function allowanceAt(curve: readonly number[], step: number): number | null {
  return curve[step] ?? null;
}
