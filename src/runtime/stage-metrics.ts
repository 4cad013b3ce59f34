/**
 * The time of an email by stage, from the request to the server's last reply: one histogram with a label per
 * stage.
 */
import type { Metrics } from './metrics.ts';

/**
 * `accept`: until stored on disk. `queue`: due but not claimed. `load`: reading the content. `compose`:
 * composing and signing. `slot`: waiting for capacity at the destination. `connect`: dialing and greeting,
 * for a new connection. `smtp`: from MAIL to the last reply.
 */
const STAGES = ['accept', 'queue', 'load', 'compose', 'slot', 'connect', 'smtp'] as const;
export type MailStage = (typeof STAGES)[number];
export type OnStage = (stage: MailStage, tookMs: number) => void;

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export const untimed: OnStage = () => undefined;

/** Reports nothing when the work fails. */
export async function timed<T>(onStage: OnStage, stage: MailStage, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const done = await work();
  onStage(stage, performance.now() - startedMs);
  return done;
}

/** Reports the time since the previous stage. */
export function stageStopwatch(onStage: OnStage): (stage: MailStage) => void {
  let sinceMs = performance.now();
  return (stage) => {
    const nowMs = performance.now();
    onStage(stage, nowMs - sinceMs);
    sinceMs = nowMs;
  };
}

export function createStageMetrics(metrics: Metrics): OnStage {
  const observe = metrics.histogram(
    'postrider_stage_seconds',
    'Duration of each stage of an email: accept, queue, load, compose, slot, connect, smtp.',
    SECONDS,
    ['stage'],
  );
  return (stage, tookMs) => observe(tookMs / 1000, { stage });
}
