/**
 * The condition of a site: how much mail it takes at the moment. Workers share conditions through the table `sites`. Pure.
 *
 *          several replies about us       more such replies: half the pace, at least one a minute
 *   open ─────────────────────────▶ slow ⟲
 *     ▲                              │    mail is accepted for a while: twice the pace
 *     └── the pace is as before ─────┘    (a site that limits messages a minute: rate-limit.ts)
 *
 *          connections keep failing            the block ends
 *   open ───────────────────────────▶ blocked ─────────────────▶ probing: one delivery tries
 *     ▲                                  ▲─── it fails: longer ────┤
 *     └───────────────── it succeeds ──────────────────────────────┘
 *
 *   paused   by an operator, until an operator resumes the site; takes precedence over the other states
 *
 * In addition a site may be `narrow`: it refused a connection because we had too many. It gets fewer connections then, and
 * one more every few minutes. That alone makes no mail wait.
 */

import { MINUTE_MS } from '../../runtime/durations.ts';
import type { SiteState } from '../../sites/site-view.ts';
import type { OutcomeReason } from '../policy/reasons.ts';
import {
  isLimit,
  type LimitedPace,
  limitedAt,
  type RateLimit,
  raised,
  refusedAgain,
  SLOWEST_PACE,
  type Traffic,
} from './rate-limit.ts';

export interface Why {
  readonly reason: OutcomeReason;
  /** The server's reply, or our own text where no server answered. */
  readonly detail: string;
}

interface Held extends Why {
  readonly sinceMs: number;
}

export interface SiteBlock extends Held {
  readonly untilMs: number;
  /** Blocks in a row, without a successful delivery between them. */
  readonly count: number;
}

export interface Slow extends Held {
  /** Messages a minute. */
  readonly pace: number;
  /** The pace before the slow-down. Once it is reached again, the site is open. */
  readonly fullPace: number;
  readonly changedMs: number;
  /** What is known of the limit, where the site took mail and then limited it (rate-limit.ts). */
  readonly limit?: RateLimit | undefined;
}

export interface Narrow extends Held {
  readonly connections: number;
  readonly changedMs: number;
}

export interface SiteCondition {
  readonly paused: boolean;
  readonly block: SiteBlock | null;
  readonly slow: Slow | null;
  readonly narrow: Narrow | null;
}

export const ALL_WELL: SiteCondition = { paused: false, block: null, slow: null, narrow: null };

/** Minutes of the first, second, … block in a row. The last value repeats. */
const BLOCK_MINUTES: readonly number[] = [1, 2, 4, 8, 16, 30];
/** The length of a block varies by this much both ways, so that sites that failed together do not return together. */
const JITTER = 0.2;
/** The pace doubles after this many accepted messages in a row, but not sooner than EASE_AFTER_MS. */
export const EASE_AFTER_MESSAGES = 3;
export const EASE_AFTER_MS = 30_000;
/** One more connection is tried after this time without a refusal. */
export const WIDEN_AFTER_MS = 5 * MINUTE_MS;

/** The time, random numbers, and how much faster than real time waits run. */
export interface Moment {
  readonly nowMs: number;
  readonly random: () => number;
  readonly speed: number;
}

export function siteStateOf({ paused, block, slow }: SiteCondition, nowMs: number): SiteState {
  if (paused) return 'paused';
  if (block !== null) return nowMs < block.untilMs ? 'blocked' : 'probing';
  return slow === null ? 'open' : 'slow';
}

/** After a block, verified domains try first. Unverified domains may try after this time without an attempt. */
const PROBE_GRACE_MS = MINUTE_MS;

/** Whether unverified domains may try. */
export function takesUnverifiedDomains(condition: SiteCondition, nowMs: number, speed: number): boolean {
  const state = siteStateOf(condition, nowMs);
  if (state !== 'probing') return state === 'open';
  return nowMs - (condition.block?.untilMs ?? nowMs) >= PROBE_GRACE_MS / speed;
}

/** Connections keep failing. */
export function blocked(condition: SiteCondition, why: Why, moment: Moment): SiteCondition {
  const count = condition.block?.count ?? 0;
  const minutes = BLOCK_MINUTES[Math.min(count, BLOCK_MINUTES.length - 1)] as number;
  const waitMs = minutes * MINUTE_MS * (1 + JITTER * (2 * moment.random() - 1));
  const untilMs = moment.nowMs + waitMs / moment.speed;
  return {
    ...condition,
    block: { ...why, untilMs, count: count + 1, sinceMs: condition.block?.sinceMs ?? moment.nowMs },
  };
}

/** Replies asked for no mail for a while. The site could be reached, so a later block starts with the shortest time. */
export function suspended(
  condition: SiteCondition,
  why: Why,
  minutes: number,
  { nowMs, speed }: Moment,
): SiteCondition {
  const untilMs = nowMs + (minutes * MINUTE_MS) / speed;
  const sinceMs = condition.block?.sinceMs ?? nowMs;
  return { ...condition, block: { ...why, untilMs, count: condition.block?.count ?? 0, sinceMs } };
}

/**
 * Replies asked for less mail. A site that accepted mail until it limited the rate gets a little less than it accepted. A site
 * that accepted nothing, or that names another reason, gets half its present pace, or half the last minute's messages.
 */
export function slowed(
  condition: SiteCondition,
  why: Why,
  traffic: Traffic,
  { nowMs }: Pick<Moment, 'nowMs'>,
): SiteCondition {
  const { slow } = condition;
  const limited = limitedPace(slow, why, traffic, nowMs);
  if (limited !== null)
    return { ...condition, slow: { ...why, ...limited, sinceMs: slow?.sinceMs ?? nowMs } };
  const fullPace = slow?.fullPace ?? Math.max(traffic.sent, 2 * SLOWEST_PACE);
  const pace = Math.max((slow?.pace ?? fullPace) / 2, SLOWEST_PACE);
  return {
    ...condition,
    slow: { ...why, pace, fullPace, changedMs: nowMs, sinceMs: slow?.sinceMs ?? nowMs },
  };
}

/** Null where there is no sign that the site limits messages a minute. */
function limitedPace(slow: Slow | null, why: Why, traffic: Traffic, nowMs: number): LimitedPace | null {
  if (slow !== null && hasKnownLimit(slow)) {
    const { pace, fullPace, changedMs, limit } = refusedAgain(slow, traffic, nowMs);
    return { pace, fullPace, changedMs, limit };
  }
  return slow === null && why.reason === 'rate_limited' && isLimit(traffic)
    ? limitedAt(traffic, nowMs)
    : null;
}

export function hasKnownLimit(slow: Slow): slow is Slow & LimitedPace {
  return slow.limit !== undefined;
}

/** Doubles the pace when several messages in a row were accepted and the last change is long enough ago. */
export function eased(
  condition: SiteCondition,
  traffic: Traffic,
  { nowMs, speed }: Pick<Moment, 'nowMs' | 'speed'>,
): SiteCondition {
  const { slow } = condition;
  if (slow === null) return condition;
  if (hasKnownLimit(slow)) {
    const next = raised(slow, traffic, { nowMs, speed });
    return next === slow ? condition : { ...condition, slow: next };
  }
  const isLongAgo = nowMs - slow.changedMs >= EASE_AFTER_MS / speed;
  if (traffic.takenSince < EASE_AFTER_MESSAGES || !isLongAgo) return condition;
  const pace = slow.pace * 2;
  return { ...condition, slow: pace >= slow.fullPace ? null : { ...slow, pace, changedMs: nowMs } };
}

/** The site refused a connection because we had too many. */
export function narrowed(
  condition: SiteCondition,
  why: Why,
  connections: number,
  { nowMs }: Pick<Moment, 'nowMs'>,
): SiteCondition {
  const sinceMs = condition.narrow?.sinceMs ?? nowMs;
  return {
    ...condition,
    narrow: { ...why, connections: Math.max(1, Math.floor(connections)), changedMs: nowMs, sinceMs },
  };
}

/** The site has accepted mail for some time: one more connection, up to the limit of the site. */
export function widened(
  condition: SiteCondition,
  limit: number,
  { nowMs, speed }: Pick<Moment, 'nowMs' | 'speed'>,
): SiteCondition {
  const { narrow } = condition;
  if (narrow === null || nowMs - narrow.changedMs < WIDEN_AFTER_MS / speed) return condition;
  const connections = narrow.connections + 1;
  return { ...condition, narrow: connections >= limit ? null : { ...narrow, connections, changedMs: nowMs } };
}

/** The server answered: a block ends. The limits of pace and connections stay. */
export function reachable(condition: SiteCondition): SiteCondition {
  return condition.block === null ? condition : { ...condition, block: null };
}

/** Clears everything but an operator's pause. */
export function cleared(condition: SiteCondition): SiteCondition {
  return isAllWell({ ...condition, paused: false }) ? condition : { ...ALL_WELL, paused: condition.paused };
}

export function isAllWell({ paused, block, slow, narrow }: SiteCondition): boolean {
  return !paused && block === null && slow === null && narrow === null;
}
