/** Removes objects without references. Removals that the store does not confirm are retried with growing delays. */

import type { Database } from '../database/database.ts';
import {
  type ClaimedRemoval,
  claimRemovals,
  removalLater,
  removalsDone,
} from '../emails/moved/object-removals.ts';
import { type ObjectStore, StoreProblem } from '../protocols/object-store/object-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';

interface RemovingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: ObjectStore;
}

const CLAIMED_AT_ONCE = 64;
const REMOVED_AT_ONCE = 16;
/** Per prefix, before other removals have their turn: about ten thousand objects. */
const LISTS_PER_TURN = 10;
const MAX_PAUSE_MS = HOUR_MS;

/** Runs until nothing is due, the store does not answer, or the signal aborts. */
export async function removeWaitingObjects(deps: RemovingDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  while (!signal.aborted) {
    const claimed = await claimRemovals(db, clock.nowMs(), CLAIMED_AT_ONCE);
    if (claimed.length === 0) return;
    const problems: StoreProblem[] = [];
    for (let next = 0; next < claimed.length; next += REMOVED_AT_ONCE)
      problems.push(...(await removeSome(deps, claimed.slice(next, next + REMOVED_AT_ONCE), signal)));
    const [problem] = problems;
    if (problem === undefined) continue;
    log.warn(
      { problem: problem.message, objects: problems.length },
      'objects could not be removed from the content store; retrying later',
    );
    return;
  }
}

/** Returns the errors. */
async function removeSome(
  deps: RemovingDeps,
  removals: readonly ClaimedRemoval[],
  signal: AbortSignal,
): Promise<StoreProblem[]> {
  const { db, clock, store } = deps;
  const done: ClaimedRemoval[] = [];
  const problems: StoreProblem[] = [];
  await Promise.all(
    removals.map(async (removal) => {
      try {
        if (await removeOne(store, removal, signal)) done.push(removal);
        else await removalLater(db, removal, clock.nowMs());
      } catch (error) {
        if (!(error instanceof StoreProblem)) throw error;
        problems.push(error);
        await removalLater(db, removal, clock.nowMs() + pauseOf(removal));
      }
    }),
  );
  await removalsDone(db, done);
  return problems;
}

/** False if more is left to do. */
async function removeOne(
  store: ObjectStore,
  { object }: ClaimedRemoval,
  signal: AbortSignal,
): Promise<boolean> {
  if (!object.endsWith('/')) {
    await store.remove(object);
    return true;
  }
  for (let lists = 0; lists < LISTS_PER_TURN && !signal.aborted; lists += 1) {
    const names = await store.list(object);
    if (names.length === 0) return true;
    for (let next = 0; next < names.length; next += REMOVED_AT_ONCE)
      await Promise.all(names.slice(next, next + REMOVED_AT_ONCE).map((name) => store.remove(name)));
  }
  return false;
}

function pauseOf({ tries }: ClaimedRemoval): number {
  return Math.min(MAX_PAUSE_MS, MINUTE_MS * 2 ** Math.min(tries - 1, 10));
}
