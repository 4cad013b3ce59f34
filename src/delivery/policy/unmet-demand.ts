/** What becomes of mail that demands TLS where somebody cannot have it: that is final only if nobody else can be hoped for. Pure. */
import type { Attempt } from './decide.ts';
import type { Outcome } from './outcome.ts';

/** It comes back because the server cannot be talked to as the mail demands. */
export function isUnmet({ kind, reason }: Outcome): boolean {
  return kind === 'bounced' && (reason === 'requiretls_unsupported' || reason === 'requiretls_failed');
}

/** Of two attempts within one: the later, unless the earlier one has reason to hope. */
export function weightier(before: Attempt | undefined, after: Attempt): Attempt {
  return before?.outcome.kind === 'deferred' && isUnmet(after.outcome) ? before : after;
}

/** There are ways that take nothing now: what those that do cannot have is no reason to give up. */
export function stillOpen(attempt: Attempt): Attempt {
  const { outcome } = attempt;
  if (!isUnmet(outcome)) return attempt;
  const waiting = { kind: 'deferred', suppress: null, ambiguous: false, retryHintSeconds: null } as const;
  return { ...attempt, outcome: { ...outcome, ...waiting, enhanced: '4.7.10' } };
}
