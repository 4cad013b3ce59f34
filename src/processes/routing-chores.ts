/** The chores of a worker that look after sites, addresses and canaries. */
import { forgetOldSites } from '../delivery/scheduler/site-store.ts';
import { forgetOldTimes } from '../delivery/scheduler/site-times.ts';
import type { Database } from '../kit/database/database.ts';
import { MINUTE_MS } from '../kit/runtime/durations.ts';
import type { Chore } from '../maintenance/housekeeper.ts';
import {
  type CanaryControlDeps,
  forgetOldCanaries,
  LOOK_AT_CANARIES_MS,
  lookAtCanaries,
} from '../routing/canary/control.ts';
import { forgetOldDays } from '../routing/source-days.ts';

const FORGET_MS = 10 * MINUTE_MS;

export function sitesChore(db: Database): Chore {
  const run = async () => {
    await forgetOldSites(db);
    await forgetOldTimes(db);
    await forgetOldDays(db);
    await forgetOldCanaries(db);
  };
  return { name: 'sites', everyMs: FORGET_MS, run };
}

export function canaryChore(deps: CanaryControlDeps): Chore {
  const run = (signal: AbortSignal) => lookAtCanaries(deps, signal);
  return { name: 'canaries', everyMs: LOOK_AT_CANARIES_MS, run, inBackground: true };
}
