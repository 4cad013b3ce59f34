/**
 * Withdraws the sandbox's queued mail when live mode starts.
 *
 * None of it can be sent meanwhile, because workers claim only mail of their own mode, so this may take its time. It runs in
 * small independent steps: a stopped worker continues at its next start, and several share the work. Mail that a sandbox worker
 * has still claimed, or that a sandbox API still accepts during a rolling restart, is found at the next turn.
 */

import type { Database } from '../database/database.ts';
import { withdrawMail } from '../emails/withdrawal.ts';
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';
import type { Chore } from './housekeeper.ts';

const EVERY_MS = 5 * MINUTE_MS;

interface SandboxMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** For workers in live mode. */
export function sandboxMailChore(deps: SandboxMailDeps): Chore {
  const run = async (signal: AbortSignal) => {
    const withdrawn = await withdrawSandboxMail(deps, signal);
    if (withdrawn > 0) deps.log.info({ deliveries: withdrawn }, 'withdrew queued sandbox mail');
  };
  return { name: 'sandbox mail', everyMs: EVERY_MS, run, inBackground: true };
}

export function withdrawSandboxMail({ db, clock }: SandboxMailDeps, signal: AbortSignal): Promise<number> {
  return withdrawMail(
    { db, nowMs: () => clock.nowMs() },
    { mode: 'sandbox', reason: 'sandbox_ended' },
    signal,
  );
}
