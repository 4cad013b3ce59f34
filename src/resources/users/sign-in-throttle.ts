/**
 * Slows down guessing. Counts failed attempts in windows of 15 minutes, by network address, by account, and by both
 * together, in bounded maps of this process.
 *
 * A stranger must not be able to lock an owner out. So nothing is ever refused because of an account alone: when
 * there is much guessing at one, every address only gets fewer tries at it, and the owner's address gets those too.
 * An attempt counts from its beginning, so that many at once do not slip through, and is given back when it succeeds.
 */
import { ApiError } from '../../http/errors.ts';
import { callerOfAddress } from '../../http/rate-limit.ts';
import type { Clock } from '../../runtime/clock.ts';

export const PAIR_LIMIT = 10;
export const PAIR_LIMIT_UNDER_ATTACK = 2;
export const ACCOUNT_LIMIT = 100;
export const ADDRESS_LIMIT = 100;
export const WINDOW_MS = 15 * 60_000;
const MOST_ENTRIES = 100_000;

export interface Attempt {
  /** It was no guess: it does not count. */
  giveBack(): void;
}

interface Count {
  count: number;
  readonly untilMs: number;
}

export class SignInThrottle {
  readonly #clock: Clock;
  readonly #counts = new Map<string, Count>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an attempt, or throws RATE_LIMITED with the time to wait. */
  begin(ip: string, account: string): Attempt {
    const address = callerOfAddress(ip);
    const keys = [`pair ${address} ${account}`, address, `account ${account}`] as const;
    const [pair, ofAddress, ofAccount] = keys.map((key) => this.#current(key));
    const attacked = (ofAccount?.count ?? 0) >= ACCOUNT_LIMIT;
    this.#refuseOver(pair, attacked ? PAIR_LIMIT_UNDER_ATTACK : PAIR_LIMIT);
    this.#refuseOver(ofAddress, ADDRESS_LIMIT);
    for (const key of keys) this.#add(key, 1);
    return {
      giveBack: () => {
        for (const key of keys) this.#add(key, -1);
      },
    };
  }

  #refuseOver(entry: Count | undefined, limit: number): void {
    if (entry === undefined || entry.count < limit) return;
    const retryAfterSeconds = Math.ceil((entry.untilMs - this.#clock.nowMs()) / 1000);
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const message = `Too many failed attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
    throw new ApiError('RATE_LIMITED', [], message, { retryAfterSeconds });
  }

  #add(key: string, by: number): void {
    const entry = this.#current(key);
    if (entry) entry.count = Math.max(0, entry.count + by);
    else if (by > 0) this.#start(key);
  }

  #start(key: string): void {
    if (this.#counts.size >= MOST_ENTRIES) this.#counts.delete(this.#counts.keys().next().value as string);
    this.#counts.set(key, { count: 1, untilMs: this.#clock.nowMs() + WINDOW_MS });
  }

  #current(key: string): Count | undefined {
    const entry = this.#counts.get(key);
    if (entry && entry.untilMs > this.#clock.nowMs()) return entry;
    this.#counts.delete(key);
    return undefined;
  }
}
