/**
 * What a site takes at the moment, as a value that workers share through the table `sites`. Pure.
 *
 *   open      takes mail
 *   slow      asked for less: one connection, one message a minute, until `slowUntilMs`
 *   blocked   not tried before `blockedUntilMs`: connections kept failing, or a reply asked for silence
 *   probing   the block is over: one delivery tries; if it works the site is open, else blocked for longer
 *   paused    by an operator, until an operator resumes it
 */
import type { OutcomeReason } from './reasons.ts';

export interface SiteCondition {
  readonly paused: boolean;
  readonly blockedUntilMs: number | null;
  /** Blocks in a row, without a delivery between them that worked. */
  readonly blocks: number;
  readonly slowUntilMs: number | null;
  readonly reason: OutcomeReason | null;
  readonly detail: string | null;
}

export type Standing = 'open' | 'slow' | 'blocked' | 'probing' | 'paused';

export const ALL_WELL: SiteCondition = {
  paused: false,
  blockedUntilMs: null,
  blocks: 0,
  slowUntilMs: null,
  reason: null,
  detail: null,
};

const MINUTE_MS = 60_000;
/** After the first, second, … block in a row; the last one repeats. */
export const BLOCK_MINUTES: readonly number[] = [1, 2, 4, 8, 16, 30];
/** Blocks spread by this much both ways, so that what failed together does not come back together. */
const JITTER = 0.2;
/** How long a request for less is honoured, and how far apart messages are meanwhile. */
export const SLOW_MINUTES = 90;
export const SLOW_INTERVAL_MS = MINUTE_MS;

export interface Why {
  readonly reason: OutcomeReason;
  readonly detail: string;
}

/** Time, chance, and how much faster than real time waits run. */
export interface Moment {
  readonly nowMs: number;
  readonly random: () => number;
  readonly speed: number;
}

export function standingOf(condition: SiteCondition, nowMs: number): Standing {
  if (condition.paused) return 'paused';
  if (condition.blockedUntilMs !== null) return nowMs < condition.blockedUntilMs ? 'blocked' : 'probing';
  return condition.slowUntilMs !== null && nowMs < condition.slowUntilMs ? 'slow' : 'open';
}

/** After a block those that the site is known to serve try first. Where none of them does so, others may after this. */
export const PROBE_GRACE_MS = MINUTE_MS;

/** Whether strangers may try, each in its own place. */
export function takesStrangers(condition: SiteCondition, nowMs: number, speed: number): boolean {
  const standing = standingOf(condition, nowMs);
  if (standing !== 'probing') return standing === 'open';
  return nowMs - (condition.blockedUntilMs ?? nowMs) >= PROBE_GRACE_MS / speed;
}

/** Connections keep failing. */
export function blocked(condition: SiteCondition, why: Why, moment: Moment): SiteCondition {
  const minutes = BLOCK_MINUTES[Math.min(condition.blocks, BLOCK_MINUTES.length - 1)] as number;
  const waitMs = minutes * MINUTE_MS * (1 + JITTER * (2 * moment.random() - 1));
  return {
    ...condition,
    ...why,
    blockedUntilMs: moment.nowMs + waitMs / moment.speed,
    blocks: condition.blocks + 1,
  };
}

/** A reply asked for silence. It is no failure to reach the site, so a later block starts small. */
export function suspended(
  condition: SiteCondition,
  why: Why,
  minutes: number,
  moment: Moment,
): SiteCondition {
  return { ...condition, ...why, blockedUntilMs: moment.nowMs + (minutes * MINUTE_MS) / moment.speed };
}

/** A reply asked for less. */
export function slowed(condition: SiteCondition, why: Why, moment: Moment): SiteCondition {
  return { ...condition, ...why, slowUntilMs: moment.nowMs + (SLOW_MINUTES * MINUTE_MS) / moment.speed };
}

/** The site answered as a mail server does. A request for less stands for as long as it was granted. */
export function reachable(condition: SiteCondition, nowMs: number): SiteCondition {
  const slow = condition.slowUntilMs !== null && nowMs < condition.slowUntilMs;
  if (condition.blockedUntilMs === null && slow === (condition.slowUntilMs !== null)) return condition;
  return slow ? { ...condition, blockedUntilMs: null, blocks: 0 } : { ...ALL_WELL, paused: condition.paused };
}

/** Nothing is held against it any more, but for what an operator decided. */
export function cleared(condition: SiteCondition): SiteCondition {
  const { paused, blockedUntilMs, slowUntilMs } = condition;
  return blockedUntilMs === null && slowUntilMs === null ? condition : { ...ALL_WELL, paused };
}

export function isAllWell({ paused, blockedUntilMs, slowUntilMs }: SiteCondition): boolean {
  return !paused && blockedUntilMs === null && slowUntilMs === null;
}
