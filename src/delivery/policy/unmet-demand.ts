/** Mail that demands TLS, where a server or a path does not meet the demand. Final only where no other path may meet it later. Pure. */
import type { Attempt } from './decide.ts';
import type { Outcome } from './outcome.ts';

/** The mail bounces because the server does not meet the mail's demand for TLS. */
export function isUnmet({ kind, reason }: Outcome): boolean {
  return kind === 'bounced' && (reason === 'requiretls_unsupported' || reason === 'requiretls_failed');
}

/** Which of two paths decides the outcome: the later one, unless only the earlier one may work on a retry. */
export function weightier(before: Attempt | undefined, after: Attempt): Attempt {
  return before?.outcome.kind === 'deferred' && isUnmet(after.outcome) ? before : after;
}

/** Other paths take no mail now and may meet the demand later, so the attempt is deferred. */
export function stillOpen(attempt: Attempt): Attempt {
  const { outcome } = attempt;
  if (!isUnmet(outcome)) return attempt;
  const waiting = { kind: 'deferred', suppress: null, ambiguous: false, retryHintSeconds: null } as const;
  return { ...attempt, outcome: { ...outcome, ...waiting, enhanced: '4.7.10' } };
}
