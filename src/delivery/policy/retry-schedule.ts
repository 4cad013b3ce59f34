/** When a deferred delivery is retried, and when it expires. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';

/** Delay after the first, second, … attempt; the last one repeats. */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  3 * MINUTE_MS,
  6 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];
const LAST_DELAY_MS = 4 * HOUR_MS;

/** Retries vary by this share both ways, so that deliveries that failed together are not retried together. */
export const RETRY_JITTER = 0.2;

/** A server's hint may make early retries sooner, but not sooner than this. */
const SHORTEST_HINT_MS = 30 * SECOND_MS;
const LONGEST_HINT_MS = 4 * HOUR_MS;
const HINTS_HASTEN_UNTIL_ATTEMPT = 5;

export interface RetryQuestion {
  /** The attempt that was just deferred, counting from 1. */
  readonly attempt: number;
  readonly nowMs: number;
  readonly expiresAtMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The sandbox clock: 60 makes a minute of delay last a second. */
  readonly speed: number;
  /** The wait that the server asked for; null where it named none. */
  readonly hintSeconds: number | null;
}

export function nextRetry(question: RetryQuestion): { readonly dueAtMs: number } | 'expired' {
  const { attempt, nowMs, expiresAtMs, random, speed, hintSeconds } = question;
  const scheduledMs =
    (RETRY_DELAYS_MS[attempt - 1] ?? LAST_DELAY_MS) * (1 + RETRY_JITTER * (2 * random() - 1));
  const delayMs =
    hintSeconds === null ? scheduledMs : hintedDelay(hintSeconds, attempt, scheduledMs, random());
  const dueAtMs = nowMs + Math.ceil(delayMs / speed);
  return dueAtMs > expiresAtMs ? 'expired' : { dueAtMs };
}

/** Never earlier than the server asked: at most greylisters a retry that comes too soon restarts the wait. */
function hintedDelay(hintSeconds: number, attempt: number, scheduledMs: number, random: number): number {
  const askedMs = Math.min(Math.max(hintSeconds * SECOND_MS, SHORTEST_HINT_MS), LONGEST_HINT_MS);
  const delayMs = askedMs * (1 + RETRY_JITTER * random);
  return attempt <= HINTS_HASTEN_UNTIL_ATTEMPT ? delayMs : Math.max(delayMs, scheduledMs);
}
