/** What canaries are judged by, put together from what was counted. */
import type { Sql } from '../../database/sql.ts';
import { countsOf } from './counts.ts';
import { type BothPaths, type CanaryFacts, NOTHING_SENT, type PathCounts } from './decide.ts';
import type { CanaryPath } from './plan.ts';
import { type CanaryRow, type PathSums, type ShareRow, sharesOf } from './store.ts';

/** How far a canary is with one provider. */
export interface CanaryState extends Omit<ShareRow, 'since'> {
  /** Null where it has not begun. */
  readonly since: Date | null;
  readonly recent: BothPaths;
  readonly hour: BothPaths;
  /** All of the step. */
  readonly step: BothPaths;
}

/** Soon enough to see that a receiver has changed its mind, however much it took before. */
const RECENT_MINUTES = 10;

/** Of every provider that mail of the canary went to. */
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

/** `allPausedAt`: since when the canary is; it counts for providers that it has not begun with. */
export function isPaused({ since, paused_at }: CanaryState, allPausedAt: Date | null): boolean {
  return (since === null ? allPausedAt : paused_at) !== null;
}

/** With so much more. */
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
