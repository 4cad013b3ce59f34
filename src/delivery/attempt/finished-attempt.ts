/** What is told of an attempt to those who watch. */
import type { MailOrigin } from '../../emails/origin.ts';
import type { MailStage, OnStage } from '../../kit/runtime/stage-metrics.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Verdict } from '../policy/decide.ts';
import type { AttemptLog } from './attempt-log.ts';

export interface FinishedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly origin: MailOrigin;
  readonly verdict: Verdict;
  /** Undefined where nobody was talked to. */
  readonly attemptLog?: AttemptLog | undefined;
  readonly times: readonly StageTime[];
}

/** By the steady clock. */
export interface StageTime {
  readonly stage: MailStage;
  readonly startMs: number;
  readonly endMs: number;
}

/** Tells of a stage as `onStage` does, and notes when it was. */
export function notingStages(times: StageTime[], onStage: OnStage): OnStage {
  return (stage, tookMs) => {
    const endMs = performance.now();
    times.push({ stage, startMs: endMs - tookMs, endMs });
    onStage(stage, tookMs);
  };
}
