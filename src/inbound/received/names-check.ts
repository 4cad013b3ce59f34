/** Looks from time to time whether mail for the names that organizations receive at comes here. */

import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { HOUR_MS } from '../../kit/runtime/durations.ts';
import { type CheckMx, checkNames } from '../../received/mx-check.ts';
import { namesToCheck } from '../../received/receiving-names.ts';

const AT_ONCE = 100;

export async function checkOldNames(db: Sql, clock: Clock, checkMx: CheckMx): Promise<void> {
  const nowMs = clock.nowMs();
  const names = await namesToCheck(db, new Date(nowMs - HOUR_MS), AT_ONCE);
  await checkNames(db, names, checkMx, nowMs);
}
