/** Writes one log line for every attempt, if the operator enabled this. Omits the recipient's address, because erasure does not reach logs. */
import type { Log } from '../../runtime/log.ts';
import type { FinishedAttempt } from './finished-attempt.ts';

/** Written at every log level, because the operator enabled the lines explicitly. */
export function createAttemptLines(log: Log): (attempt: FinishedAttempt) => void {
  const lines = log.child({}, { level: 'info' });
  return ({ delivery, origin, verdict, attemptLog }) => {
    const { kind: outcome, reason, mxHost, smtpCode, enhancedCode, tls } = verdict;
    const nextAttemptAt =
      verdict.kind === 'deferred' ? new Date(verdict.nextAttemptAtMs).toISOString() : null;
    lines.info(
      {
        event: 'attempt',
        emailId: delivery.emailId,
        position: delivery.position,
        organizationId: delivery.organizationId,
        requestId: origin.requestId ?? null,
        traceId: origin.traceparent?.split('-')[1] ?? null,
        domain: delivery.domain,
        attempt: delivery.attempt,
        outcome,
        reason: attemptLog?.reason ?? reason,
        rule: attemptLog?.rule ?? null,
        mxHost,
        smtpCode,
        enhancedCode,
        tls,
        waitedMs: Math.round(delivery.waitedMs),
        durationMs: attemptLog?.durationMs ?? 0,
        nextAttemptAt,
      },
      'attempt',
    );
  };
}
