/**
 * Generates RSA key pairs, one at a time. Each occupies a core and a thread of the pool that signing, passwords and
 * files share, for a tenth of a second, or seconds on a busy machine.
 *
 * Owns a stock of pre-generated pairs (in memory only), the queue of callers, and how many pairs each organization
 * took recently. The organization with the fewest goes first, and half of the stock is reserved for organizations
 * that took fewer, so that one that rotates in a loop delays only itself. The number of pairs and the waiting time
 * are bounded; beyond the bound the caller is told when to retry. A pair whose caller has timed out goes into the
 * stock.
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../runtime/clock.ts';
import type { Service } from '../runtime/lifecycle.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { type TokenBucket, type TokenBucketLimits, TokenBuckets } from '../runtime/token-bucket.ts';

export interface KeyPair {
  /** SPKI, DER. */
  readonly publicKey: Buffer;
  /** PKCS #8, DER. */
  readonly privateKey: Buffer;
}

export interface KeyPairLimits extends TokenBucketLimits {
  /** The number of pairs generated ahead, while no caller waits. */
  readonly stock: number;
  /** The delay after the start, which leaves the core to more urgent work. */
  readonly firstFillMs: number;
  /** The pause between two pairs for the stock, which leaves the core to requests. */
  readonly restMs: number;
  /** The maximum waiting time. A pair completed later goes into the stock for a retry. */
  readonly waitMs: number;
}

/**
 * For untrusted callers: an endless loop of requests uses at most a quarter of a slow core and holds no connections.
 */
export const API_LIMITS: KeyPairLimits = {
  stock: 8,
  firstFillMs: 5_000,
  restMs: 5_000,
  burst: 20,
  paceMs: 2_000,
  waitMs: 1_500,
};

/** For background work and the operator. */
export const UNBOUNDED: KeyPairLimits = {
  stock: 0,
  firstFillMs: 0,
  restMs: 0,
  burst: Number.POSITIVE_INFINITY,
  paceMs: 1_000,
  waitMs: Number.POSITIVE_INFINITY,
};

const RSA_BITS = 2048;
const COME_BACK_SECONDS = 2;

const generate = promisify(generateKeyPair);

export function generateRsa(): Promise<KeyPair> {
  return generate('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
}

interface Waiting {
  readonly bucket: TokenBucket;
  readonly timer: NodeJS.Timeout | undefined;
  readonly give: (pair: KeyPair) => void;
  readonly refuse: (error: unknown) => void;
}

export interface KeyPairDeps {
  readonly clock: Clock;
  readonly limits: KeyPairLimits;
  /** Replaced only by tests. */
  readonly generate?: () => Promise<KeyPair>;
}

export class KeyPairs implements Service {
  readonly name = 'key pairs';
  readonly #limits: KeyPairLimits;
  readonly #buckets: TokenBuckets;
  readonly #generate: () => Promise<KeyPair>;
  readonly #stock: KeyPair[] = [];
  readonly #waiting = new Set<Waiting>();
  #isMaking = false;
  #isFilling = false;
  #nextFill: NodeJS.Timeout | undefined;

  constructor({ clock, limits, generate = generateRsa }: KeyPairDeps) {
    this.#limits = limits;
    this.#buckets = new TokenBuckets(clock, limits);
    this.#generate = generate;
  }

  /** The caller overwrites the private half after use. */
  async take(organizationId: string): Promise<KeyPair> {
    const bucket = this.#buckets.of(organizationId);
    const waitTimeMs = bucket.waitTimeMs();
    if (waitTimeMs > 0) throw tooMany(Math.ceil(waitTimeMs / 1_000));
    const pair = this.#fromStock(bucket);
    if (pair === undefined) return this.#wait(bucket);
    bucket.take();
    this.#startNext();
    return pair;
  }

  get inStock(): number {
    return this.#stock.length;
  }

  /** Starts to fill the stock; before that, pairs are generated on demand. */
  async start(): Promise<void> {
    this.#isFilling = true;
    this.#fillAfter(this.#limits.firstFillMs);
  }

  async stop(): Promise<void> {
    this.#isFilling = false;
    clearTimeout(this.#nextFill);
    for (const { privateKey } of this.#stock.splice(0)) privateKey.fill(0);
    for (const one of this.#waiting) this.#leave(one).refuse(new ServiceError('UNAVAILABLE'));
  }

  #fromStock(bucket: TokenBucket): KeyPair | undefined {
    const leaves = Math.min(bucket.count(), Math.floor(this.#limits.stock / 2));
    return this.#stock.length > leaves ? this.#stock.shift() : undefined;
  }

  #wait(bucket: TokenBucket): Promise<KeyPair> {
    const { waitMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const giveUp = () => this.#leave(one).refuse(stillBeingMade());
      const timer = Number.isFinite(waitMs) ? setTimeout(giveUp, waitMs) : undefined;
      const one: Waiting = { bucket, timer, give: resolve, refuse: reject };
      bucket.waiting += 1;
      this.#waiting.add(one);
      this.#startNext();
    });
  }

  #leave(one: Waiting): Waiting {
    clearTimeout(one.timer);
    one.bucket.waiting -= 1;
    this.#waiting.delete(one);
    return one;
  }

  /** Starts the next pair: at once for a waiting caller, after a pause for the stock. */
  #startNext(): void {
    if (this.#isMaking) return;
    if (this.#waiting.size > 0) void this.#makeOne();
    else this.#fillAfter(this.#limits.restMs);
  }

  #fillAfter(ms: number): void {
    if (!this.#isFilling || this.#nextFill !== undefined || this.#stock.length >= this.#limits.stock) return;
    this.#nextFill = setTimeout(() => {
      this.#nextFill = undefined;
      if (!this.#isMaking) void this.#makeOne();
    }, ms).unref();
  }

  async #makeOne(): Promise<void> {
    this.#isMaking = true;
    try {
      this.#handOut(await this.#generate());
    } catch (error) {
      const first = this.#first();
      if (first) this.#leave(first).refuse(error);
    } finally {
      this.#isMaking = false;
      this.#startNext();
    }
  }

  #handOut(pair: KeyPair): void {
    const first = this.#first();
    if (first === undefined) {
      this.#stock.push(pair);
      return;
    }
    first.bucket.take();
    this.#leave(first).give(pair);
  }

  /** The waiting caller whose organization took the fewest pairs; of several, the one that waits longest. */
  #first(): Waiting | undefined {
    let first: Waiting | undefined;
    for (const one of this.#waiting) {
      if (first === undefined || one.bucket.count() < first.bucket.count()) first = one;
    }
    return first;
  }
}

function tooMany(seconds: number): ServiceError {
  const message = `Many DKIM keys were created for this organization just now. Try again in ${seconds} s.`;
  return new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: seconds });
}

function stillBeingMade(): ServiceError {
  const message = `The DKIM key is still being created. Try again in ${COME_BACK_SECONDS} s.`;
  return new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: COME_BACK_SECONDS });
}
