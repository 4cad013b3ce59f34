/** Places the hold of a lane that the guard has found. */

import type { Database } from '../../database/database.ts';
import { GUARD, guardDecisionsOn, recordFinding } from '../../interventions/holds/guard-findings.ts';
import { MAX_HOLDS_IN_FORCE } from '../../interventions/holds/service.ts';
import { type HoldRow, listHolds, placeHold } from '../../interventions/holds/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { watchedOrganization } from './first-day.ts';

export interface FoundLane {
  readonly organizationId: string;
  /** The lane. */
  readonly value: string;
  readonly reason: string;
}

export interface PlacingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** After a person has released a hold of the lane, the lane is not held again for a day. After a discard it may be. */
export async function holdLane({ db, clock, log }: PlacingDeps, found: FoundLane): Promise<void> {
  const { organizationId } = found;
  const nowMs = clock.nowMs();
  const watched = await watchedOrganization(db, organizationId, nowMs);
  if (watched === null) return;
  const lane = { ...found, scope: 'lane' } as const;
  const before = await guardDecisionsOn(db, lane, nowMs);
  if (before.isReleased || (watched.isFirstDay && before.isFound)) return;
  if (watched.isFirstDay) {
    const holdId = await recordFinding(db, { ...lane, outcome: 'watched' });
    log.warn({ holdId, organizationId }, 'the guard would hold a lane, but holds nothing on the first day');
    return;
  }
  const hold = await placeGuardHold(db, lane);
  if (hold !== undefined) log.warn({ holdId: hold.id, organizationId }, 'the guard holds a lane');
}

/** Undefined where an identical hold is in force, or the limit of holds in force is reached. */
export async function placeGuardHold(
  db: Database,
  hold: FoundLane & { readonly scope: 'lane' },
): Promise<HoldRow | undefined> {
  const { open } = await listHolds(db, hold, { limit: 0, offset: 0 });
  if (open >= MAX_HOLDS_IN_FORCE) return undefined;
  return db.transaction((tx) => placeHold(tx, { ...hold, by: GUARD, byOperator: false }));
}
