/**
 * Checks the DNS records of registered domains again when they are due. Any number of workers may run it: one worker claims a
 * domain for CLAIM_MS, and verification-state.ts schedules its next check.
 */
import { type CheckDeps, checkAndRecord } from '../domains/check.ts';
import { claimDue } from '../domains/check-store.ts';
import type { DomainRow } from '../domains/store.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { WorkLoop } from '../runtime/work-loop/loop.ts';

const AT_ONCE = 8;
/** The first checks of a new domain are minutes apart. */
const POLL_MS = 10_000;
/** Longer than a check can take. Afterwards any worker may claim a dead worker's domains. */
const CLAIM_MS = 5 * MINUTE_MS;
/** The next worker repeats an interrupted check, so stopping does not wait for slow name servers. */
const DRAIN_MS = 500;

export function createDomainChecks(deps: CheckDeps): WorkLoop<DomainRow> {
  return new WorkLoop<DomainRow>({
    name: 'domain checks',
    log: deps.log,
    capacity: AT_ONCE,
    pollMs: POLL_MS,
    drainMs: DRAIN_MS,
    claim: (limit) => claimDueDomains(deps, limit),
    work: (row) => recheck(deps, row),
  });
}

export function claimDueDomains({ db, clock }: CheckDeps, limit: number): Promise<DomainRow[]> {
  const nowMs = clock.nowMs();
  return claimDue(db, new Date(nowMs), limit, new Date(nowMs + CLAIM_MS));
}

export async function recheck(deps: CheckDeps, row: DomainRow): Promise<void> {
  try {
    await checkAndRecord(deps, row, false);
  } catch (error) {
    deps.log.error({ err: error, domain: row.domain }, 'could not check a domain; retrying later');
  }
}
