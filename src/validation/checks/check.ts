import type { SignalName } from '../score.ts';

export const CHECK_STATUSES = ['pass', 'fail', 'warn', 'unknown'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** What one check found. `signals` is what it means for the score; it is reported once, beside the score. */
export interface Finding {
  readonly status: CheckStatus;
  /** A code for programs. */
  readonly reason: string;
  /** A sentence for people. */
  readonly message: string;
  readonly signals: readonly SignalName[];
}

export function finding(
  status: CheckStatus,
  reason: string,
  message: string,
  ...signals: readonly SignalName[]
): Finding {
  return { status, reason, message, signals };
}

/** For everything that cannot be looked at because the address is not one. */
export const NOT_CHECKED = finding('unknown', 'not_checked', 'Not checked: the address is not well-formed.');
