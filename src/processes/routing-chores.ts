/** A worker's chores for sites, addresses and canaries. */

import type { Database } from '../database/database.ts';
import { forgetOldSites } from '../delivery/scheduler/site-store.ts';
import { forgetOldTimes } from '../delivery/scheduler/site-times.ts';
import type { Chore } from '../operations/housekeeper.ts';
import {
  CANARY_REVIEW_INTERVAL_MS,
  type CanaryControlDeps,
  deleteOldCanaries,
  reviewCanaries,
} from '../routing/canary/control.ts';
import { deleteOldSourceDays } from '../routing/source-days.ts';
import { MINUTE_MS } from '../runtime/durations.ts';

const FORGET_MS = 10 * MINUTE_MS;

export function sitesChore(db: Database): Chore {
  const run = async () => {
    await forgetOldSites(db);
    await forgetOldTimes(db);
    await deleteOldSourceDays(db);
    await deleteOldCanaries(db);
  };
  return { name: 'sites', everyMs: FORGET_MS, run };
}

export function canaryChore(deps: CanaryControlDeps): Chore {
  const run = (signal: AbortSignal) => reviewCanaries(deps, signal);
  return { name: 'canaries', everyMs: CANARY_REVIEW_INTERVAL_MS, run, inBackground: true };
}
