/**
 * The pace at a site that limits how many messages it takes in a minute. Pure.
 *
 * The number of messages that the site took in the minute before its first refusal is taken for its limit. The site gets a little
 * less from then on. After some minutes the pace is raised by a small step, then by larger ones. A refusal takes it back to
 * the pace that held before, and the next step is small again.
 *
 * A refusal is also followed by a rest, because a site that counts by the minute refuses until its minute is over. The rest
 * is doubled while nothing is taken in between.
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
  /** What the site took in the minute before it first refused. */
  readonly fullPace: number;
  readonly changedMs: number;
  readonly limit: RateLimit;
}

/** What happened at a site, as one worker counts it. */
export interface Traffic {
  /** Messages that were begun, and that were taken, in the last minute. */
  readonly sent: number;
  readonly took: number;
  /** Messages that were taken since the last change or refusal. */
  readonly takenSince: number;
}

/** No site is slower than this, in messages a minute. */
export const SLOWEST_PACE = 1;
/** A site that took fewer messages in the minute before it refused may have refused for another reason than a limit. */
const LEAST_TAKEN = 5;
/** Of what the site took. Low enough that two messages close together stay below the limit. */
const BELOW = 0.95;
const FIRST_STEP = 0.05;
const LARGEST_STEP = 1;
/** After the first refusal, and after one at a pace that is near the limit. */
const FIRST_REST_MS = 20_000;
const SHORT_REST_MS = 5_000;
/** With the first rest it adds up to a minute, after which a site that counts by the minute starts again. */
const LONGEST_REST_MS = 40_000;
/** A pace that was refused lately is tried again after this time. */
const RAISE_AFTER_MS = 5 * MINUTE_MS;
/** After a raise that held. In this time a site that counts by the minute has counted a whole one. */
const NEXT_RAISE_MS = 2 * MINUTE_MS;
/** A pace that is hardly used was not tried. */
const USED = 0.8;
/** A site that takes this many times the rate that it once refused has no limit any more. */
const OPEN_AT = 10;

export function isLimit({ took }: Traffic): boolean {
  return took >= LEAST_TAKEN;
}

/** The first refusal of a site that took mail until then. */
export function limitedAt({ took }: Traffic, nowMs: number): LimitedPace {
  const pace = Math.max(SLOWEST_PACE, BELOW * took);
  const limit = { steady: pace, step: FIRST_STEP, restMs: FIRST_REST_MS };
  return { pace, fullPace: took, changedMs: nowMs, limit };
}

/** It refused again. */
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

/** Null when the site takes so much that it is open; the same value where it is too early for more. */
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

/** Whether the site is left alone after a refusal. */
export function isResting(
  { changedMs, limit }: Pick<LimitedPace, 'changedMs'> & { readonly limit?: RateLimit | undefined },
  { nowMs, speed }: { readonly nowMs: number; readonly speed: number },
): boolean {
  const sinceMs = nowMs - changedMs;
  // A clock that was set back says nothing of how long ago the refusal was.
  return limit !== undefined && sinceMs >= 0 && sinceMs < limit.restMs / speed;
}
