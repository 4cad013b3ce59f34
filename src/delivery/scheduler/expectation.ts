/** When mail that waits for a site is expected to be tried, as far as that is known. Pure. */

import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import type { SiteQueue } from './queue-view.ts';

export interface Waiting {
  readonly dueAtMs: number;
  /** Other mail of the same organization that is due there before it. */
  readonly ahead: number;
}

/**
 * Null where nobody knows: a pause ends when somebody ends it, and at an open site it is a matter of whose turn it is. At a
 * slow site it is not before this: mail of others, which is not told, takes turns with it.
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
