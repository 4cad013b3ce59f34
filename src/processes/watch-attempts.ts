/** Observers of every attempt: the log and traces, each if enabled. */
import { createAttemptSpans } from '../delivery/attempt/attempt-spans.ts';
import { createAttemptLines, type FinishedAttempt } from '../delivery/attempt/finished-attempt.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import type { Tracer } from '../runtime/tracing.ts';

interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
}

/** Undefined without observers. */
export function watchAttempts({
  config,
  clock,
  log,
  tracer,
}: Deps): ((attempt: FinishedAttempt) => void) | undefined {
  const lines = config.logAttempts ? createAttemptLines(log) : undefined;
  const spans = tracer && createAttemptSpans(tracer, clock);
  if (lines === undefined || spans === undefined) return lines ?? spans;
  return (attempt) => {
    lines(attempt);
    spans(attempt);
  };
}
