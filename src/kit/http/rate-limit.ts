/**
 * Counts requests per organization, or per network address where there is no key, in fixed windows of 60 seconds.
 *
 * Owns one map of counts for the current window, which all callers share: when the window ends the map is thrown
 * away, so nothing has to expire entry by entry. The number of organizations is bounded by those that exist. Addresses
 * are not, so beyond `MAX_ADDRESSES` new ones share one count. An IPv6 caller is its /64, because one machine
 * usually owns that many. Counts are per process and never touch the database.
 */
import { ADDRESS } from '../runtime/caller-address.ts';
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Principal } from './principal.ts';

const WINDOW_MS = MINUTE_MS;
const MAX_ADDRESSES = 50_000;

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export class RateLimiter {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #addresses = 0;
  #windowEndMs = 0;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts one request of this caller. */
  take(caller: string): Allowance {
    this.#turnWindow();
    const known = this.#bucketOf(caller);
    const before = this.#counts.get(known);
    if (before === undefined && known.startsWith(ADDRESS)) this.#addresses += 1;
    const count = (before ?? 0) + 1;
    this.#counts.set(known, count);
    return this.#allowance(count);
  }

  /** What this caller has left, without counting. */
  peek(caller: string): Allowance {
    this.#turnWindow();
    return this.#allowance(this.#counts.get(this.#bucketOf(caller)) ?? 0);
  }

  #turnWindow(): void {
    const now = this.#clock.nowMs();
    if (now < this.#windowEndMs && now >= this.#windowEndMs - WINDOW_MS) return;
    this.#counts.clear();
    this.#addresses = 0;
    this.#windowEndMs = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
  }

  #bucketOf(caller: string): string {
    const crowded = this.#addresses >= MAX_ADDRESSES && caller.startsWith(ADDRESS);
    return crowded && !this.#counts.has(caller) ? `${ADDRESS}others` : caller;
  }

  #allowance(count: number): Allowance {
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - count),
      resetSeconds: Math.max(1, Math.ceil((this.#windowEndMs - this.#clock.nowMs()) / 1000)),
      exceeded: count > this.#limit,
    };
  }
}

/**
 * Keys of an organization count together: making more of them allows no more. Its people count apart from them, so
 * that a program which runs wild does not keep anybody from revoking its key.
 */
export function callerOf(principal: Pick<Principal, 'organizationId' | 'session'>): string {
  return `${principal.session ? 'people' : 'keys'}:${principal.organizationId}`;
}

export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(allowance.limit),
    'X-RateLimit-Remaining': String(allowance.remaining),
    'X-RateLimit-Reset': String(allowance.resetSeconds),
  };
}
