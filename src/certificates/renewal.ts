/** When a certificate is ordered next. Pure. */
import { DAY_MS, MINUTE_MS } from '../runtime/durations.ts';

export interface Validity {
  readonly validFromMs: number;
  readonly validToMs: number;
}

const FIRST_RETRY_MS = 10 * MINUTE_MS;
const LONGEST_RETRY_MS = DAY_MS;
/** Some limits of authorities last a week. */
const LONGEST_ASKED_MS = 7 * DAY_MS;
/** Of the lifetime: so far apart are renewals of certificates that were issued together. */
const JITTER = 1 / 30;

/**
 * Milliseconds until a third of the lifetime is left. On a machine whose clock is wrong that may be in the past; then a
 * third of the lifetime, so that the clock cannot cause an order after the other.
 */
export function renewInMs({ validFromMs, validToMs }: Validity, nowMs: number, random: number): number {
  const lifetimeMs = validToMs - validFromMs;
  const leftMs = validToMs - lifetimeMs / 3 - random * JITTER * lifetimeMs - nowMs;
  return leftMs > lifetimeMs * JITTER ? leftMs : Math.max(lifetimeMs / 3, FIRST_RETRY_MS);
}

/** Twice as long after each failure in a row, and no sooner than the authority asks for. */
export function retryInMs(failures: number, askedMs: number | undefined, random: number): number {
  const growing = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LONGEST_RETRY_MS);
  const jittered = growing * (0.75 + random / 2);
  return Math.max(jittered, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}
