/**
 * Runs at every start and clears the remains of the other mode. In the sandbox any domain verifies, so these verifications end
 * when live mode starts; back in the sandbox, all domains are checked again. Also cleared are users' addresses that only the
 * sandbox inbox verified, and stored answers of Idempotency-Keys, because their mail was never sent. Every sandbox has verified
 * domains, so if there are none, no sandbox has run since the last live start.
 */

import { clearSandboxVerifiedAddresses } from '../accounts/users/store.ts';
import type { Sql } from '../database/sql.ts';
import { checkUnverifiedSoon, clearSandboxVerifications, type EndedVerification } from '../domains/store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Mode } from '../runtime/config.ts';
import { forgetSandboxAnswers } from '../submission/idempotency/store.ts';

/** Returns the domains that are no longer verified. */
export async function enterMode(db: Sql, mode: Mode, clock: Clock): Promise<readonly EndedVerification[]> {
  const now = new Date(clock.nowMs());
  if (mode === 'sandbox') {
    await checkUnverifiedSoon(db, now);
    return [];
  }
  await clearSandboxVerifiedAddresses(db);
  const ended = await clearSandboxVerifications(db, now);
  if (ended.length > 0) await forgetSandboxAnswers(db);
  return ended;
}
