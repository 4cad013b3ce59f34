/**
 * At every start: what an earlier life in the other mode left behind. In the sandbox anyone's domain verifies, so
 * those verifications end where mail goes out to the world; and back in the sandbox all are looked at again. So do
 * users' addresses that only its inbox proved, and answers that an Idempotency-Key would repeat, because the mail they
 * speak of was never sent. Every sandbox has verified domains, so without any there was none since the last live start.
 */

import { clearSandboxVerifiedAddresses } from '../accounts/users/store.ts';
import type { Sql } from '../database/sql.ts';
import { checkUnverifiedSoon, clearSandboxVerifications, type EndedVerification } from '../domains/store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Mode } from '../runtime/config.ts';
import { forgetSandboxAnswers } from '../submission/idempotency/idempotency-store.ts';

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
