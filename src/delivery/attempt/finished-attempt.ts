/** A finished attempt, for logs and traces. */
import type { MailOrigin } from '../../emails/origin.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Log } from '../../runtime/log.ts';
import type { MailStage, OnStage } from '../../runtime/stage-metrics.ts';
import type { Verdict } from '../policy/decide.ts';
import type { AttemptLog } from './attempt-log.ts';

export interface FinishedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly origin: MailOrigin;
  readonly verdict: Verdict;
  /** Undefined where no server was contacted. */
  readonly attemptLog?: AttemptLog | undefined;
  readonly times: readonly StageTime[];
}

/** Times are from the monotonic clock. */
export interface StageTime {
  readonly stage: MailStage;
  readonly startMs: number;
  readonly endMs: number;
}

/** Reports each stage to `onStage`, and adds its times to `times`. */
export function notingStages(times: StageTime[], onStage: OnStage): OnStage {
  return (stage, tookMs) => {
    const endMs = performance.now();
    times.push({ stage, startMs: endMs - tookMs, endMs });
    onStage(stage, tookMs);
  };
}

/**
 * Writes a log line for every attempt, at every log level, because the operator enabled the lines explicitly. Omits the recipient's
 * address, because erasure does not reach logs.
 */
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
