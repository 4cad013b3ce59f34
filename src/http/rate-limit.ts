/**
 * Counts requests per organization, per agent, or per network address where there is no key, in fixed windows of 60 seconds.
 *
 * Owns one map of counts for the current window, which all callers share: when the window ends the map is thrown
 * away, so nothing has to expire entry by entry. The number of organizations and agents is bounded by those that exist. Addresses
 * are not, so beyond `MAX_ADDRESSES` new ones share one count. An IPv6 caller is its /64, because one machine
 * usually owns that many.
 *
 * An address has the same limit as an organization, but never more than MAX_OF_ADDRESS: an operator who lets organizations
 * ask for more does not mean strangers.
 *
 * Where there are several processes, organizations are counted together (`rate-shares.ts`). Addresses never are: strangers
 * must not be able to cause work for the database, and what the count protects is this process.
 */
import { ADDRESS } from '../runtime/caller-address.ts';
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Principal } from './principal.ts';

const WINDOW_MS = MINUTE_MS;
const MAX_ADDRESSES = 50_000;
const MAX_OF_ADDRESS = 6_000;

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** What several processes count together. */
export interface SharedCounts {
  /** Off where there is one process. */
  readonly isOn: boolean;
  /** `counted`: by this process alone, before it was on. */
  take(caller: string, counted: number): Allowance | Promise<Allowance>;
  turnMinute(): void;
}

export class RateLimiter {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #shared: SharedCounts | undefined;
  readonly #counts = new Map<string, number>();
  #addresses = 0;
  #windowEndMs = 0;

  constructor(limit: number, clock: Clock, shared?: SharedCounts) {
    this.#limit = limit;
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Counts one request of this caller. A promise only where others count, too, and have to be asked first. */
  take(caller: string): Allowance | Promise<Allowance> {
    this.#turnWindow();
    if (this.#shared?.isOn && !caller.startsWith(ADDRESS)) return this.#takeShared(this.#shared, caller);
    return this.#takeAlone(caller);
  }

  #takeShared(shared: SharedCounts, caller: string): Allowance | Promise<Allowance> {
    const counted = this.#counts.get(caller) ?? 0;
    this.#counts.delete(caller);
    return shared.take(caller, counted);
  }

  #takeAlone(caller: string): Allowance {
    const known = this.#bucketOf(caller);
    const before = this.#counts.get(known);
    if (before === undefined && known.startsWith(ADDRESS)) this.#addresses += 1;
    const count = (before ?? 0) + 1;
    this.#counts.set(known, count);
    return this.#allowance(caller, count);
  }

  /** What this caller has left, without counting. */
  peek(caller: string): Allowance {
    this.#turnWindow();
    return this.#allowance(caller, this.#counts.get(this.#bucketOf(caller)) ?? 0);
  }

  #turnWindow(): void {
    const now = this.#clock.nowMs();
    if (now < this.#windowEndMs && now >= this.#windowEndMs - WINDOW_MS) return;
    this.#counts.clear();
    this.#shared?.turnMinute();
    this.#addresses = 0;
    this.#windowEndMs = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
  }

  #bucketOf(caller: string): string {
    const crowded = this.#addresses >= MAX_ADDRESSES && caller.startsWith(ADDRESS);
    return crowded && !this.#counts.has(caller) ? `${ADDRESS}others` : caller;
  }

  #allowance(caller: string, count: number): Allowance {
    const limit = caller.startsWith(ADDRESS) ? Math.min(this.#limit, MAX_OF_ADDRESS) : this.#limit;
    return {
      limit,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.max(1, Math.ceil((this.#windowEndMs - this.#clock.nowMs()) / 1000)),
      exceeded: count > limit,
    };
  }
}

/**
 * Keys of an organization count together: making more of them allows no more. Its people count apart from them, so
 * that a program which runs wild does not keep anybody from revoking its key. An agent counts apart, too: it can make no
 * keys, and must not use up what the organization's applications need.
 */
export function callerOf(
  principal: Pick<Principal, 'organizationId' | 'session'>,
  agent: string | null = null,
): string {
  if (agent !== null) return `agent:${agent}`;
  return `${principal.session ? 'people' : 'keys'}:${principal.organizationId}`;
}

export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(allowance.limit),
    'x-ratelimit-remaining': String(allowance.remaining),
    'x-ratelimit-reset': String(allowance.resetSeconds),
  };
}
