/**
 * Warm-up of an address: the daily number of emails to a provider that does not know the address yet. The allowance starts low
 * and rises a step after every good day. Deferrals and complaints hold it or lower it. Pure.
 */

/** What happens to mail beyond today's allowance. */
export const OVER_ALLOWANCE = ['fallback', 'wait'] as const;
export type OverAllowance = (typeof OVER_ALLOWANCE)[number];

export interface WarmUp {
  /** The first day, in UTC. */
  readonly since: string;
  /** Emails per day, step by step. Past the last step the address is warm, and no limit applies. */
  readonly curve: readonly number[];
  /** Curves for specific providers. */
  readonly curves: Readonly<Record<string, readonly number[]>>;
  readonly over: OverAllowance;
}

/** Roughly doubles, as large providers advise; an address is warm after a month. */
export const DEFAULT_CURVE: readonly number[] = [
  ...[50, 100, 150, 250, 400, 600, 900, 1_300, 1_900, 2_700, 3_800, 5_400, 7_600, 10_500],
  ...[15_000, 20_000, 28_000, 38_000, 50_000, 70_000, 100_000],
];
/** For providers that are known to trust new addresses slowly. */
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
  /** Refused or deferred because of the sender's reputation. */
  readonly objected: number;
  readonly complained: number;
}

export function curveFor({ curve, curves }: WarmUp, provider: string): readonly number[] {
  return curves[provider] ?? curve;
}

/** A day that used less than this share of its allowance proves little, and raises nothing. */
const LEAST_USED = 0.25;
const TOO_MANY = { objected: 0.05, complained: 0.001 };
const FAR_TOO_MANY = { objected: 0.2, complained: 0.003 };
const STEPS_BACK = 2;

/** The emails sent on a day. A warm address takes nothing from an allowance, so its outcomes give the number. */
export function sentOn({ used, delivered, objected }: WarmUpDay): number {
  return used > 0 ? used : delivered + objected;
}

/** The step on the curve after the given earlier days, oldest first; one past the last step when the address is warm. */
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

/** Today's allowance; null if the address is warm. */
export function allowanceAt(curve: readonly number[], step: number): number | null {
  return curve[step] ?? null;
}
