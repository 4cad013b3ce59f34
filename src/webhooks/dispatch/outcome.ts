/** Interprets an endpoint's answer and schedules the retry. Pure. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';
import type { PostResult } from './post.ts';

export type WebhookOutcome =
  | { readonly state: 'delivered' }
  /** Permanent failure; `gone` if the endpoint says that it no longer exists. */
  | { readonly state: 'failed'; readonly error: string; readonly gone: boolean }
  | { readonly state: 'pending'; readonly error: string; readonly dueAtMs: number };

/** The delays before each attempt: ten attempts over 75.5 hours. */
export const DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
] as const;

/** Delays are lengthened by up to this share, so that simultaneous failures do not retry at once. */
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = DAY_MS;

export interface Retrying {
  /** How much faster than real time retries run. */
  readonly speed: number;
  readonly random: () => number;
}

/** `tries`: the attempts in this round, including this one. */
export function outcomeOf(
  result: Exclude<PostResult, { kind: 'aborted' }>,
  tries: number,
  nowMs: number,
  retrying: Retrying,
): WebhookOutcome {
  if (result.kind === 'answered' && result.status >= 200 && result.status < 300)
    return { state: 'delivered' };
  const error = result.kind === 'answered' ? errorOf(result.status) : result.error;
  if (result.kind === 'answered' && result.status === 410) return { state: 'failed', error, gone: true };
  const delayMs = DELAYS_MS[tries];
  if (delayMs === undefined) return { state: 'failed', error, gone: false };
  const jitteredMs = (delayMs * (1 + JITTER * retrying.random())) / retrying.speed;
  const askedMs = result.kind === 'answered' ? retryAfterMs(result.retryAfter, nowMs) : 0;
  return { state: 'pending', error, dueAtMs: nowMs + Math.max(jitteredMs, askedMs) };
}

function errorOf(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  if (status === 410) return 'answered 410: the webhook is disabled';
  return `answered ${status}`;
}

/** Seconds or a date. An unreadable value is ignored. */
function retryAfterMs(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS);
}
