/**
 * Counts requests per organization, per agent, or per network address without a key, in fixed windows of 60
 * seconds.
 *
 * Owns one map of counts for the current window. The map is discarded when the window ends, so no entry has
 * to expire. The number of organizations and agents is bounded; that of addresses is not, so addresses beyond
 * `MAX_ADDRESSES` share one count. An IPv6 caller is counted by its /64, because one machine usually owns
 * that many addresses.
 *
 * An address has the limit of an organization, but at most MAX_OF_ADDRESS: an operator who raises the limit
 * of organizations does not mean unauthenticated clients.
 *
 * With several processes, organizations are counted together (`rate-shares.ts`). Addresses never are:
 * unauthenticated clients must not cause database work, and their limit protects this process.
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

/** Counts shared by several processes. */
export interface SharedCounts {
  /** False while there is only one process. */
  readonly isOn: boolean;
  /** @param counted Requests that this process counted alone, before sharing was on. */
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

  /**
   * Counts one request of this caller. Returns a promise only when a share must be fetched from the shared
   * count.
   */
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

  /** The caller's remaining allowance, without counting. */
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
 * All keys of an organization count together, so more keys allow no more requests. Its users are counted
 * separately, so that a runaway program cannot keep them from revoking its key. Agents are counted separately
 * too: they cannot create keys, and must not use up the allowance of the organization's applications.
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
