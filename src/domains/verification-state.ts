/**
 * The effect of a check on a domain. Pure: the old state and the DNS result in, the new state out.
 *
 *   unverified ──both records found──→ verified ──a record wrong──→ failing ──72 h of it──→ unverified
 *                                         ↑────── found again ────────┘
 *
 * A failing domain still sends: DNS panels lose records by accident, and mail must not stop at once, nor because a
 * user requested a check. A check without a DNS answer changes nothing.
 */
import type { Mode } from '../runtime/config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import type { CheckedDomain, DnsCheckStatus } from './verify.ts';

export interface VerificationState {
  readonly spf_verified: boolean;
  readonly dkim_verified: boolean;
  readonly verified_at: Date | null;
  readonly verified_in: Mode | null;
  readonly failed_checks: number;
  readonly failing_since: Date | null;
  readonly next_check_at: Date | null;
}

export type DomainTransition = 'verified' | 'failing' | 'recovered' | 'unverified' | null;

export interface Change {
  readonly after: VerificationState;
  readonly transition: DomainTransition;
}

interface CheckContext {
  /** Whether a user requested the check; otherwise it was scheduled. */
  readonly asked: boolean;
  readonly mode: Mode;
  readonly nowMs: number;
  /** From 0 to 1; spreads the checks of domains that were registered together. */
  readonly random: number;
}

export const GRACE_MS = 72 * HOUR_MS;
/** Two checks with three days of downtime between them are not 72 hours of failing checks. */
const MIN_FAILING_CHECKS = 3;
const VERIFIED_EVERY_MS = DAY_MS;
const FAILING_EVERY_MS = 6 * HOUR_MS;
const UNKNOWN_AGAIN_MS = HOUR_MS;
const JITTER = 0.1;

/** The delays after the first failed checks; then hourly for a day, daily for a month, and no more. */
const FIRST_WAITS_MS = [1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS);
const HOURLY_CHECKS = 24;
const DAILY_CHECKS = 30;

export function stateAfterCheck(
  before: VerificationState,
  checked: CheckedDomain,
  context: CheckContext,
): Change {
  const wasVerified = before.spf_verified && before.dkim_verified;
  return wasVerified ? ofVerified(before, checked, context) : ofUnverified(before, checked, context);
}

/** The time of the first check of a new domain. */
export function firstCheckAt(nowMs: number): Date {
  return new Date(nowMs + (FIRST_WAITS_MS[0] as number));
}

function ofUnverified(before: VerificationState, checked: CheckedDomain, context: CheckContext): Change {
  const { nowMs, asked, mode } = context;
  const flags = flagsAfter(before, checked);
  if (flags.spf_verified && flags.dkim_verified) {
    const verified = { verified_at: new Date(nowMs), verified_in: mode, failing_since: null };
    const after = {
      ...flags,
      ...verified,
      failed_checks: 0,
      next_check_at: laterBy(VERIFIED_EVERY_MS, context),
    };
    return { after, transition: 'verified' };
  }
  // A user who requests a check is working on the records, so the delays start again.
  const failed_checks = asked ? 1 : before.failed_checks + 1;
  const wait = waitAfter(failed_checks);
  return {
    after: {
      ...before,
      ...flags,
      failed_checks,
      next_check_at: wait === null ? null : laterBy(wait, context),
    },
    transition: null,
  };
}

function ofVerified(before: VerificationState, checked: CheckedDomain, context: CheckContext): Change {
  const { nowMs } = context;
  if (checked.spf === 'pass' && checked.dkim === 'pass') {
    const next_check_at = laterBy(VERIFIED_EVERY_MS, context);
    const transition = before.failing_since === null ? null : 'recovered';
    return { after: { ...before, failing_since: null, failed_checks: 0, next_check_at }, transition };
  }
  if (checked.spf !== 'fail' && checked.dkim !== 'fail') {
    return { after: { ...before, next_check_at: laterBy(UNKNOWN_AGAIN_MS, context) }, transition: null };
  }
  const failing_since = before.failing_since ?? new Date(nowMs);
  const failed_checks = before.failed_checks + 1;
  const graceIsOver = nowMs - failing_since.getTime() >= GRACE_MS && failed_checks >= MIN_FAILING_CHECKS;
  if (graceIsOver) return unverified(before, checked, context);
  const next_check_at = laterBy(FAILING_EVERY_MS, context);
  return { after: { ...before, failing_since, failed_checks, next_check_at }, transition: 'failing' };
}

function unverified(before: VerificationState, checked: CheckedDomain, context: CheckContext): Change {
  const after = {
    ...flagsAfter(before, checked),
    verified_at: null,
    verified_in: null,
    failing_since: null,
    failed_checks: 1,
    next_check_at: laterBy(waitAfter(1) as number, context),
  };
  return { after, transition: 'unverified' };
}

function flagsAfter(before: VerificationState, { spf, dkim }: CheckedDomain) {
  return {
    spf_verified: flagAfter(before.spf_verified, spf),
    dkim_verified: flagAfter(before.dkim_verified, dkim),
  };
}

function flagAfter(before: boolean, status: DnsCheckStatus): boolean {
  return status === 'pass' || (status !== 'fail' && before);
}

/** The delay after this many failed checks; null when no further check is scheduled. */
export function waitAfter(failedChecks: number): number | null {
  const first = FIRST_WAITS_MS[failedChecks - 1];
  if (first !== undefined) return first;
  const further = failedChecks - FIRST_WAITS_MS.length;
  if (further <= HOURLY_CHECKS) return HOUR_MS;
  return further <= HOURLY_CHECKS + DAILY_CHECKS ? DAY_MS : null;
}

function laterBy(waitMs: number, { nowMs, random }: CheckContext): Date {
  return new Date(nowMs + Math.round(waitMs * (1 + JITTER * random)));
}
