/**
 * Token buckets, one per organization, for costly resources. Used tokens refill one by one at a fixed rate; a
 * burst up to the capacity is allowed. Owns one entry for each organization that used or is waiting for a
 * token.
 */
import type { Clock } from './clock.ts';

export interface TokenBucketLimits {
  readonly burst: number;
  readonly paceMs: number;
}

export class TokenBuckets {
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  readonly #organizations = new Map<string, TokenBucket>();

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  of(organizationId: string): TokenBucket {
    const known = this.#organizations.get(organizationId);
    if (known) return known;
    for (const [id, bucket] of this.#organizations) if (bucket.isFull()) this.#organizations.delete(id);
    const made = new TokenBucket(this.#clock, this.#limits);
    this.#organizations.set(organizationId, made);
    return made;
  }

  get size(): number {
    return this.#organizations.size;
  }
}

export class TokenBucket {
  /** Waiting callers count as users when a further request is decided. */
  waiting = 0;
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  #fullAtMs = 0;

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Tokens used and not yet refilled. */
  count(): number {
    return Math.ceil(this.#leftMs() / this.#limits.paceMs);
  }

  take(): void {
    this.#fullAtMs = this.#clock.nowMs() + this.#leftMs() + this.#limits.paceMs;
  }

  waitTimeMs(): number {
    const { burst, paceMs } = this.#limits;
    return Math.max(0, this.#leftMs() + (this.waiting + 1 - burst) * paceMs);
  }

  isFull(): boolean {
    return this.waiting === 0 && this.#leftMs() === 0;
  }

  /** Limited to a full burst, in case the clock was set back. */
  #leftMs(): number {
    const { burst, paceMs } = this.#limits;
    return Math.min(Math.max(0, this.#fullAtMs - this.#clock.nowMs()), burst * paceMs);
  }
}
