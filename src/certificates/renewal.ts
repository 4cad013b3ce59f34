/** When a certificate is ordered next. Pure. */
import { DAY_MS, MINUTE_MS } from '../runtime/durations.ts';

export interface Validity {
  readonly validFromMs: number;
  readonly validToMs: number;
}

const FIRST_RETRY_MS = 10 * MINUTE_MS;
const LONGEST_RETRY_MS = DAY_MS;
/** Some authorities have weekly rate limits. */
const LONGEST_ASKED_MS = 7 * DAY_MS;
/** Share of the lifetime over which renewals of certificates issued together are spread. */
const JITTER = 1 / 30;

/**
 * Milliseconds until a third of the lifetime is left. With a wrong clock that time may be in the past; the
 * result is then a third of the lifetime, so that the clock cannot cause repeated orders.
 */
export function renewInMs({ validFromMs, validToMs }: Validity, nowMs: number, random: number): number {
  const lifetimeMs = validToMs - validFromMs;
  const leftMs = validToMs - lifetimeMs / 3 - random * JITTER * lifetimeMs - nowMs;
  return leftMs > lifetimeMs * JITTER ? leftMs : Math.max(lifetimeMs / 3, FIRST_RETRY_MS);
}

/** Doubles after each consecutive failure, and respects the authority's Retry-After. */
export function retryInMs(failures: number, askedMs: number | undefined, random: number): number {
  const growing = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LONGEST_RETRY_MS);
  const jittered = growing * (0.75 + random / 2);
  return Math.max(jittered, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}
