/** The trace spans of an attempt, from its due time to the server's last reply. They are made when the attempt is over. */
import { attemptSpanId } from '../../emails/origin.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Tracer } from '../../runtime/tracing.ts';
import type { FinishedAttempt, StageTime } from './finished-attempt.ts';

export function createAttemptSpans(tracer: Tracer, clock: Clock): (attempt: FinishedAttempt) => void {
  return (finished) => {
    const { delivery, origin, verdict, attemptLog } = finished;
    if (origin.traceparent === undefined) return;
    const stages = stagesOf(finished);
    const aheadMs = clock.nowMs() - performance.now();
    const wallMs = (steadyMs: number) => aheadMs + steadyMs;
    const attempt = tracer.begin({
      name: 'deliver',
      kind: 'consumer',
      parent: origin.traceparent,
      id: attemptSpanId(delivery),
      startMs: wallMs(stages[0]?.startMs ?? performance.now()),
      attributes: {
        'postrider.email_id': delivery.emailId,
        'postrider.request_id': origin.requestId,
        'postrider.recipient_domain': delivery.domain,
        'postrider.attempt': delivery.attempt,
        'postrider.outcome': verdict.kind,
        'postrider.reason': attemptLog?.reason ?? verdict.reason,
      },
    });
    if (attempt === null) return;
    for (const { stage, startMs, endMs } of stages) {
      const about = { name: stage, parent: attempt.traceparent, startMs: wallMs(startMs) };
      const span = tracer.begin(
        stage === 'smtp' ? { ...about, ...smtpOf(verdict) } : { ...about, kind: 'internal' },
      );
      span?.end({ endMs: wallMs(endMs), problem: stage === 'smtp' ? problemOf(verdict) : null });
    }
    attempt.end({ problem: problemOf(verdict) });
  };
}

/** The SMTP session, where there was one, is the last stage. */
function stagesOf({ times, attemptLog }: FinishedAttempt): readonly StageTime[] {
  const startMs = times.at(-1)?.endMs;
  if (attemptLog === undefined || startMs === undefined) return times;
  return [...times, { stage: 'smtp', startMs, endMs: startMs + attemptLog.durationMs }];
}

function smtpOf({ mxHost, smtpCode }: FinishedAttempt['verdict']) {
  const attributes = { 'server.address': mxHost, 'smtp.status_code': smtpCode };
  return { kind: 'client', attributes } as const;
}

function problemOf({ kind, reason }: FinishedAttempt['verdict']): string | null {
  return kind === 'delivered' ? null : (reason ?? kind);
}
