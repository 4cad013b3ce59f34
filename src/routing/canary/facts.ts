/** Combines the counts into the facts for decisions about canaries. */
import type { Sql } from '../../database/sql.ts';
import { countsOf } from './counts.ts';
import { type BothPaths, type CanaryFacts, NOTHING_SENT, type PathCounts } from './decide.ts';
import type { CanaryPath } from './plan.ts';
import { type CanaryRow, type PathSums, type ShareRow, sharesOf } from './store.ts';

/** The progress of a canary with one provider. */
export interface CanaryState extends Omit<ShareRow, 'since'> {
  /** Null if it has not started. */
  readonly since: Date | null;
  readonly recent: BothPaths;
  readonly hour: BothPaths;
  readonly step: BothPaths;
}

/** Short enough to notice that a receiver's behaviour changed, however much mail it accepted before. */
const RECENT_MINUTES = 10;

/** For every provider that mail of the canary went to. */
export async function readStates(db: Sql, canary: string): Promise<CanaryState[]> {
  const [shares, counts] = [await sharesOf(db, canary), await countsOf(db, canary, RECENT_MINUTES)];
  const providers = new Set([...shares, ...counts].map(({ provider }) => provider));
  return [...providers].sort().map((provider) => {
    const share = shares.find((one) => one.provider === provider) ?? { ...NOT_BEGUN, provider };
    const own = counts.filter((one) => one.provider === provider);
    const hour = addedUp({}, own);
    return {
      ...share,
      recent: periodOf(
        addedUp(
          {},
          own.filter((one) => one.is_recent),
        ),
      ),
      hour: periodOf(hour),
      step: periodOf(addedUp(share.counted, own)),
    };
  });
}

const NOT_BEGUN = {
  ...{ percent: 0, since: null, age_ms: 0, paused_at: null, falls: 0, counted: {}, usual: null },
};

export function factsOf(state: CanaryState, { paused_at }: Pick<CanaryRow, 'paused_at'>): CanaryFacts {
  const { percent, age_ms: ageMs, falls, usual, recent, hour, step } = state;
  return {
    percent,
    ageMs,
    falls,
    isPaused: isPaused(state, paused_at),
    usual,
    periods: [recent, hour, step],
  };
}

/** `allPausedAt`: when the whole canary was paused; this applies to providers that have not started. */
export function isPaused({ since, paused_at }: CanaryState, allPausedAt: Date | null): boolean {
  return (since === null ? allPausedAt : paused_at) !== null;
}

export function addedUp(
  before: PathSums,
  more: readonly (PathCounts & { readonly way: CanaryPath })[],
): PathSums {
  const sums: Partial<Record<CanaryPath, PathCounts>> = { ...before };
  for (const one of more) {
    const sum = sums[one.way] ?? NOTHING_SENT;
    sums[one.way] = {
      sent: sum.sent + one.sent,
      deferred: sum.deferred + one.deferred,
      bounced: sum.bounced + one.bounced,
      complained: sum.complained + one.complained,
    };
  }
  return sums;
}

function periodOf(of: PathSums): BothPaths {
  return { old: of.old ?? NOTHING_SENT, new: of.new ?? NOTHING_SENT };
}
