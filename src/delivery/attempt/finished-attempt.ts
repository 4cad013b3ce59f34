/** A finished attempt, for logs and traces. */
import type { MailOrigin } from '../../emails/origin.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
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
