/**
 * Makes RSA key pairs, one at a time: each takes a thread of the pool, which signing, passwords and files need too, and
 * a core, for a tenth of a second and on a busy machine for seconds.
 *
 * It owns a stock of pairs made ahead, which is in memory only, who waits for one, and how many each organization had
 * lately. Whoever had the fewest is served first, and half of the stock is for those who had fewer than that: one that
 * rotates in a loop waits behind itself. How many an organization gets and how long it waits is bounded; beyond that the
 * caller is told when to come back. A pair that nobody waits for any more goes into the stock, for when they do.
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
  /** Made ahead, while nobody waits. */
  readonly stock: number;
  /** After the start: a process that has just started has better things to do. */
  readonly firstFillMs: number;
  /** Between two for the stock: nobody waits for it, and requests do for the core that it takes. */
  readonly restMs: number;
  /** Nobody waits longer than this: what is made then is kept for when they come back. */
  readonly waitMs: number;
}

/** Where strangers ask: one that never ends asking gets a quarter of a slow core at most, and holds no connections. */
export const API_LIMITS: KeyPairLimits = {
  stock: 8,
  firstFillMs: 5_000,
  restMs: 5_000,
  burst: 20,
  paceMs: 2_000,
  waitMs: 1_500,
};

/** Where nobody waits for an answer, or the operator does. */
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
  /** Only tests give another. */
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

  /** Whoever takes a pair overwrites its private half after use. */
  async take(organizationId: string): Promise<KeyPair> {
    const bucket = this.#buckets.of(organizationId);
    const waitTimeMs = bucket.waitTimeMs();
    if (waitTimeMs > 0) throw tooMany(Math.ceil(waitTimeMs / 1_000));
    const pair = this.#fromStock(bucket);
    if (pair === undefined) return this.#wait(bucket);
    bucket.take();
    this.#goOn();
    return pair;
  }

  get inStock(): number {
    return this.#stock.length;
  }

  /** Fills the stock; until then pairs are made when they are asked for. */
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
      this.#goOn();
    });
  }

  #leave(one: Waiting): Waiting {
    clearTimeout(one.timer);
    one.bucket.waiting -= 1;
    this.#waiting.delete(one);
    return one;
  }

  /** Makes the next one now if somebody waits, and after a rest if it is for the stock. */
  #goOn(): void {
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
      this.#goOn();
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

  /** Of those who wait, the one whose organization had the fewest; of these, the one that came first. */
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
