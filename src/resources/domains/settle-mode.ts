/**
 * At every start: what an earlier life in the other mode left behind. In the sandbox anyone's domain verifies, so
 * those verifications end where mail goes out to the world; and back in the sandbox all are looked at again.
 */
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Mode } from '../../runtime/config.ts';
import { checkUnverifiedSoon, forgetSandboxVerifications } from './store.ts';

export async function settleMode(db: Sql, mode: Mode, clock: Clock): Promise<void> {
  const now = new Date(clock.nowMs());
  if (mode === 'live') await forgetSandboxVerifications(db, now);
  else await checkUnverifiedSoon(db, now);
}
