/**
 * How many of something dear each organization had lately. What it had is forgotten one by one, at a pace; so much in a
 * row it may have, and from then on one at that pace. Owns one entry for each organization that has had or waits for
 * something.
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

/** Of one organization. */
export class TokenBucket {
  /** Those who wait for one count as if they had it, when it is asked whether there may be more. */
  waiting = 0;
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  #fullAtMs = 0;

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Lately. */
  count(): number {
    return Math.ceil(this.#leftMs() / this.#limits.paceMs);
  }

  take(): void {
    this.#fullAtMs = this.#clock.nowMs() + this.#leftMs() + this.#limits.paceMs;
  }

  /** How long it is until it may have another one. */
  waitTimeMs(): number {
    const { burst, paceMs } = this.#limits;
    return Math.max(0, this.#leftMs() + (this.waiting + 1 - burst) * paceMs);
  }

  isFull(): boolean {
    return this.waiting === 0 && this.#leftMs() === 0;
  }

  /** Never more than all in a row, should the clock have been put back. */
  #leftMs(): number {
    const { burst, paceMs } = this.#limits;
    return Math.min(Math.max(0, this.#fullAtMs - this.#clock.nowMs()), burst * paceMs);
  }
}
