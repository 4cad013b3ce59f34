/**
 * Carries out the decisions about holds in small independent transactions: it may be interrupted anywhere and continues later,
 * and several processes may run it at once.
 *
 * A release makes parked mail due again, and the scheduler sends it at the pace of its destinations. A discard ends the mail
 * that the hold covers. Mail accepted after the decision is not covered and is sent.
 */

import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { recordWithdrawal } from '../../emails/withdrawal.ts';
import { parkDue, unpark } from '../../outbox/park.ts';
import type { DeliveryKey } from '../../outbox/states.ts';
import { wakeWorkers } from '../../outbox/wake.ts';
import { withdrawEach } from '../../outbox/withdraw.ts';
import { coveredBy } from './coverage.ts';
import { countHandled, endingHolds, finishHold, type HoldRow, liftHold, lockUnfinished } from './store.ts';

interface EndingHoldDeps {
  readonly db: Database;
  readonly nowMs: () => number;
}

const STEP = 500;

/** As far as possible now: deliveries that a worker has claimed are left for the next run. */
export async function executeEndingHolds(deps: EndingHoldDeps, signal: AbortSignal): Promise<void> {
  for (const { id } of await endingHolds(deps.db)) await executeEndingHold(deps, id, signal);
}

export async function executeEndingHold(
  deps: EndingHoldDeps,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const hold = await db.transaction((tx) => lockUnfinished(tx, id));
  if (hold === undefined || hold.ending === null) return;
  if (hold.lifted_at === null) {
    const isReady =
      hold.ending === 'release'
        ? await saveLifetimes(db, hold, signal)
        : await discardAll(deps, hold, signal);
    if (!isReady) return;
    // Another process may have lifted it. One that is in force still has more to discard: the next round does that.
    await db.transaction((tx) => liftHold(tx, hold));
    if ((await db.transaction((tx) => lockUnfinished(tx, id)))?.lifted_at === null) return;
  }
  const isDone = await untilNothing(signal, async () => {
    const count = await step(db, id, async (tx) => {
      const released = await unpark(tx, id, STEP);
      await countHandled(tx, id, { released });
      return released;
    });
    if (count > 0) await wakeWorkers(db);
    return count;
  });
  if (isDone) await db.transaction((tx) => finishHold(tx, id));
}

/** Under a hold of all mail, no delivery is claimed and so none was parked. Lifetimes run on until this is done. */
function saveLifetimes(db: Database, { id, scope }: HoldRow, signal: AbortSignal): Promise<boolean> | true {
  return scope !== 'all' || untilNothing(signal, () => step(db, id, (tx) => parkDue(tx, id, STEP)));
}

/** Scans the queue repeatedly until no covered mail is left. False while workers have claimed the rest. */
async function discardAll(deps: EndingHoldDeps, { id }: HoldRow, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    let last: DeliveryKey | null = null;
    let discarded = 0;
    const isThrough = await untilNothing(signal, async () => {
      const next: Discarded = await discardNext(deps, id, last);
      last = next.covered.at(-1) ?? last;
      discarded += next.discarded;
      return next.covered.length;
    });
    if (!isThrough || last === null) return isThrough;
    if (discarded === 0) return false;
  }
}

interface Discarded {
  readonly covered: readonly DeliveryKey[];
  readonly discarded: number;
}

function discardNext(
  { db, nowMs }: EndingHoldDeps,
  id: string,
  after: DeliveryKey | null,
): Promise<Discarded> {
  return db.transaction(async (tx) => {
    if ((await lockUnfinished(tx, id)) === undefined) return { covered: [], discarded: 0 };
    const covered = await coveredBy(tx, id, after, STEP);
    const withdrawn = await withdrawEach(tx, covered);
    await recordWithdrawal(tx, withdrawn, 'hold_discarded', nowMs());
    await countHandled(tx, id, { discarded: withdrawn.length });
    return { covered, discarded: withdrawn.length };
  });
}

/** One transaction with the hold locked. Does nothing if the hold has ended. */
function step(db: Database, id: string, work: (tx: Sql) => Promise<number>): Promise<number> {
  return db.transaction(async (tx) => ((await lockUnfinished(tx, id)) === undefined ? 0 : work(tx)));
}

/** False if it was interrupted. */
async function untilNothing(signal: AbortSignal, work: () => Promise<number>): Promise<boolean> {
  while (!signal.aborted) if ((await work()) === 0) return true;
  return false;
}
