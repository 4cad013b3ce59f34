/**
 * Measures two or more ways to do the same work in turns. Rounds alternate and the order reverses each time, so that other load
 * or a hot processor affects all alike. The median round counts.
 */
import type { Progress } from './bench.ts';

export type Work = () => unknown;

export type Rate = {
  readonly medianPerSecond: number;
  readonly minPerSecond: number;
  readonly maxPerSecond: number;
  readonly operations: number;
};

export type Rounds = { readonly warmUpMs: number; readonly rounds: number; readonly roundMs: number };

export async function measureInTurns<Name extends string>(
  contestants: Readonly<Record<Name, Work>>,
  plan: Rounds,
  progress: Progress,
): Promise<Record<Name, Rate>> {
  const names = Object.keys(contestants) as Name[];
  const rates = new Map<Name, number[]>(names.map((name) => [name, []]));
  const operations = new Map<Name, number>(names.map((name) => [name, 0]));
  for (const name of names) {
    progress(`warming up ${name}`);
    await repeat(contestants[name], plan.warmUpMs);
  }
  for (let round = 1; round <= plan.rounds; round += 1) {
    const order = round % 2 === 0 ? names.toReversed() : names;
    for (const name of order) {
      const { count, seconds } = await repeat(contestants[name], plan.roundMs);
      rates.get(name)?.push(count / seconds);
      operations.set(name, (operations.get(name) ?? 0) + count);
    }
    progress(`round ${round} of ${plan.rounds}: ${names.map((name) => latest(name, rates)).join(', ')}`);
  }
  const entries = names.map((name) => [name, summary(rates.get(name) ?? [], operations.get(name) ?? 0)]);
  return Object.fromEntries(entries) as Record<Name, Rate>;
}

const STEADY_WITHIN = 0.03;
/** The most warm-up rounds of a full measurement. A smoke test needs one. */
const MOST_WARM_UPS = 8;

/**
 * Repeats a round until it is not faster than the fastest round before, because just-in-time compilation takes ten seconds or
 * more. `round` returns its rate.
 */
export async function untilSteady(round: () => Promise<number>, most = MOST_WARM_UPS): Promise<void> {
  let best = await round();
  for (let done = 1; done < most; done += 1) {
    const rate = await round();
    if (rate < best * (1 + STEADY_WITHIN)) return;
    best = rate;
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that at least this share of the values do not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}

async function repeat(work: Work, forMs: number): Promise<{ count: number; seconds: number }> {
  const started = performance.now();
  let now = started;
  let count = 0;
  while (now - started < forMs) {
    const result = work();
    // Synchronous work must not include the cost of a promise.
    if (result instanceof Promise) await result;
    count += 1;
    now = performance.now();
  }
  return { count, seconds: (now - started) / 1000 };
}

function latest<Name extends string>(name: Name, rates: ReadonlyMap<Name, readonly number[]>): string {
  return `${name} ${Math.round(rates.get(name)?.at(-1) ?? 0).toLocaleString('en')}/s`;
}

function summary(rates: readonly number[], operations: number): Rate {
  return {
    medianPerSecond: median(rates),
    minPerSecond: Math.min(...rates),
    maxPerSecond: Math.max(...rates),
    operations,
  };
}
