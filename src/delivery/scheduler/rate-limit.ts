/**
 * The pace at a site that limits how many messages it takes in a minute. Pure.
 *
 * The number of messages that the site accepted in the minute before its first refusal is the estimate of its limit. The site
 * gets a little less from then on. After some minutes the pace is raised by a small step, then by larger steps. A refusal
 * restores the pace before the last raise, and the next step is small again.
 *
 * After a refusal nothing is sent for some seconds, because a site that counts by the minute refuses until its minute is over.
 * This rest doubles while the site accepts nothing.
 */
import { MINUTE_MS } from '../../runtime/durations.ts';

export interface RateLimit {
  /** The pace that held before the last raise, in messages a minute. */
  readonly steady: number;
  /** The share by which the next raise increases the pace. */
  readonly step: number;
  /** Nothing is sent for this long after the last change. */
  readonly restMs: number;
}

/** A pace with what is known of the limit, as it stands in the condition of a site. */
export interface LimitedPace {
  readonly pace: number;
  /** The messages that the site accepted in the minute before its first refusal. */
  readonly fullPace: number;
  readonly changedMs: number;
  readonly limit: RateLimit;
}

/** The messages of a site, as one worker counts them. */
export interface Traffic {
  /** Messages that were begun, and messages that were accepted, in the last minute. */
  readonly sent: number;
  readonly took: number;
  /** Messages that were accepted since the last change of pace or refusal. */
  readonly takenSince: number;
}

/** The lowest pace, in messages a minute. */
export const SLOWEST_PACE = 1;
/** A site that accepted fewer messages in the minute before its refusal may have refused for another reason than a limit. */
const LEAST_TAKEN = 5;
/** The first pace, as a share of the messages that the site accepted. Two messages close together then stay below the limit. */
const BELOW = 0.95;
const FIRST_STEP = 0.05;
const LARGEST_STEP = 1;
/** The rest after the first refusal, and after a refusal at a pace near the limit. */
const FIRST_REST_MS = 20_000;
const SHORT_REST_MS = 5_000;
/** Together with the first rest a whole minute, after which a site that counts by the minute starts a new count. */
const LONGEST_REST_MS = 40_000;
/** The time after a refusal until the pace is raised again. */
const RAISE_AFTER_MS = 5 * MINUTE_MS;
/** The time after a raise without a refusal until the next raise. It contains a whole minute of a site that counts by the minute. */
const NEXT_RAISE_MS = 2 * MINUTE_MS;
/** The pace is raised only if at least this share of it was used. */
const USED = 0.8;
/** A site that accepts this many times the rate that it once refused no longer has a limit. */
const OPEN_AT = 10;

export function isLimit({ took }: Traffic): boolean {
  return took >= LEAST_TAKEN;
}

/** The pace after the first refusal of a site that accepted mail until then. */
export function limitedAt({ took }: Traffic, nowMs: number): LimitedPace {
  const pace = Math.max(SLOWEST_PACE, BELOW * took);
  const limit = { steady: pace, step: FIRST_STEP, restMs: FIRST_REST_MS };
  return { pace, fullPace: took, changedMs: nowMs, limit };
}

/** The pace after another refusal. */
export function refusedAgain(slow: LimitedPace, { took, takenSince }: Traffic, nowMs: number): LimitedPace {
  const { limit, pace } = slow;
  const isShut = takenSince === 0;
  if (isShut && limit.restMs < LONGEST_REST_MS) {
    const restMs = Math.min(Math.max(2 * limit.restMs, SHORT_REST_MS), LONGEST_REST_MS);
    return { ...slow, changedMs: nowMs, limit: { ...limit, restMs } };
  }
  const restMs = isShut ? LONGEST_REST_MS : SHORT_REST_MS;
  const lower = BELOW * Math.min(Math.max(took, pace / 2), pace);
  const next = pace > limit.steady ? limit.steady : Math.max(SLOWEST_PACE, lower);
  return { ...slow, pace: next, changedMs: nowMs, limit: { steady: next, step: FIRST_STEP, restMs } };
}

/** Null when the site accepts so much that it is open; the same value where it is too early for a raise. */
export function raised<S extends LimitedPace>(
  slow: S,
  { sent, takenSince }: Traffic,
  { nowMs, speed }: { readonly nowMs: number; readonly speed: number },
): S | null {
  const { limit, pace, changedMs, fullPace } = slow;
  const waitMs = limit.step === FIRST_STEP ? RAISE_AFTER_MS : NEXT_RAISE_MS;
  const isTried = takenSince > 0 && sent >= USED * pace;
  if (!isTried || nowMs - changedMs < waitMs / speed) return slow;
  const next = pace * (1 + limit.step);
  if (next >= OPEN_AT * fullPace) return null;
  const step = Math.min(2 * limit.step, LARGEST_STEP);
  return { ...slow, pace: next, changedMs: nowMs, limit: { steady: pace, step, restMs: 0 } };
}

/** Whether the rest after a refusal still lasts. */
export function isResting(
  { changedMs, limit }: Pick<LimitedPace, 'changedMs'> & { readonly limit?: RateLimit | undefined },
  { nowMs, speed }: { readonly nowMs: number; readonly speed: number },
): boolean {
  const sinceMs = nowMs - changedMs;
  // Below zero after the clock was set back: the time since the refusal is unknown, so there is no rest.
  return limit !== undefined && sinceMs >= 0 && sinceMs < limit.restMs / speed;
}
