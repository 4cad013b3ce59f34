/** The expected time of the next attempt of mail that waits for a site, where it is known. Pure. */

import { MINUTE_MS } from '../../runtime/durations.ts';
import type { SiteQueue } from './queue-view.ts';

interface Waiting {
  readonly dueAtMs: number;
  /** Other mail of the same organization to the site that is due earlier. */
  readonly ahead: number;
}

/**
 * Null where the time is unknown: an operator ends a pause, and at an open site the fair queue decides. At a slow site this is
 * the earliest time, because mail of other organizations takes turns with it and is not counted.
 */
export function expectedAtMs(
  { state, untilMs, pace }: Pick<SiteQueue, 'state' | 'untilMs' | 'pace'>,
  { dueAtMs, ahead }: Waiting,
  nowMs: number,
): number | null {
  switch (state) {
    case 'paused':
      return null;
    case 'blocked':
    case 'probing':
      return Math.max(dueAtMs, untilMs ?? nowMs, nowMs);
    case 'slow':
      return Math.max(dueAtMs, nowMs + ((ahead + 1) * MINUTE_MS) / (pace ?? 1));
    case 'open':
      return dueAtMs > nowMs ? dueAtMs : null;
  }
}
