/**
 * The end of the sandbox: what it had queued is taken back when mail goes out to the world.
 *
 * Nothing of it could be sent meanwhile, because workers claim mail of their own mode only; so it may take its time. It
 * goes in small steps, each whole in itself: a worker that is stopped goes on at its next start, several share
 * the work, and what a worker of the sandbox still has in hand, or an API of the sandbox still accepts while processes
 * are changed one by one, is found at the next turn.
 */

import type { Database } from '../database/database.ts';
import { withdrawMail } from '../emails/withdrawal.ts';
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';
import type { Chore } from './housekeeper.ts';

const EVERY_MS = 5 * MINUTE_MS;

export interface SandboxMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** For workers in live mode. */
export function sandboxMailChore(deps: SandboxMailDeps): Chore {
  const run = async (signal: AbortSignal) => {
    const withdrawn = await withdrawSandboxMail(deps, signal);
    if (withdrawn > 0) deps.log.info({ deliveries: withdrawn }, 'took back what the sandbox had queued');
  };
  return { name: 'sandbox mail', everyMs: EVERY_MS, run, inBackground: true };
}

/** Returns how many deliveries it took back. */
export function withdrawSandboxMail({ db, clock }: SandboxMailDeps, signal: AbortSignal): Promise<number> {
  return withdrawMail(
    { db, nowMs: () => clock.nowMs() },
    { mode: 'sandbox', reason: 'sandbox_ended' },
    signal,
  );
}
