import type { SignalName } from '../score.ts';

export const CHECK_STATUSES = ['pass', 'fail', 'warn', 'unknown'] as const;
type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The result of one check. `signals` affect the score and are shown once, with the score. */
export interface Finding {
  readonly status: CheckStatus;
  /** A machine-readable code. */
  readonly reason: string;
  /** A human-readable sentence. */
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

/** The result of all other checks when the address is malformed. */
export const NOT_CHECKED = finding('unknown', 'not_checked', 'Not checked: the address is not well-formed.');
