/** Periodically checks whether mail for the organizations' receiving names arrives here. */

import type { Sql } from '../../database/sql.ts';
import { type CheckMx, checkNames } from '../../received/mx-check.ts';
import { namesToCheck } from '../../received/receiving-names.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS } from '../../runtime/durations.ts';

const AT_ONCE = 100;

export async function checkOldNames(db: Sql, clock: Clock, checkMx: CheckMx): Promise<void> {
  const nowMs = clock.nowMs();
  const names = await namesToCheck(db, new Date(nowMs - HOUR_MS), AT_ONCE);
  await checkNames(db, names, checkMx, nowMs);
}
