/**
 * Slows down guessing. Counts failed attempts in windows of 15 minutes, by network address, by account, and by both
 * together, in bounded maps of this process.
 *
 * An account has a ceiling, because guesses may come from as many addresses as anybody likes. A stranger must not lock its
 * owner out by that: a device that has signed in to the account before has an allowance of its own, which nobody else's
 * failures touch, and a new password by mail makes any browser such a device.
 * An attempt counts from its beginning, so that many at once do not slip through, and is given back when it succeeds.
 */

import { BoundedMap } from '../../kit/runtime/bounded-map.ts';
import { callerOfAddress } from '../../kit/runtime/caller-address.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import { ServiceError } from '../../kit/service-error.ts';

export const PAIR_LIMIT = 10;
export const DEVICE_LIMIT = 10;
export const ACCOUNT_LIMIT = 50;
export const ADDRESS_LIMIT = 100;
export const WINDOW_MS = 15 * MINUTE_MS;
const MAX_ENTRIES = 100_000;

export interface SignInAttempt {
  /** It was no guess: it does not count. */
  giveBack(): void;
}

interface Count {
  count: number;
  readonly untilMs: number;
}

export class SignInThrottle {
  readonly #clock: Clock;
  readonly #counts = new BoundedMap<string, Count>(MAX_ENTRIES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an attempt, or throws RATE_LIMITED with the time to wait. `device`: one that the account knows. */
  begin(ip: string, account: string, device?: string): SignInAttempt {
    const limits =
      device === undefined ? strangersLimits(ip, account) : [[`device ${device}`, DEVICE_LIMIT] as const];
    for (const [key, limit] of limits) this.#refuseOver(this.#current(key), limit);
    for (const [key] of limits) this.#add(key, 1);
    return {
      giveBack: () => {
        for (const [key] of limits) this.#add(key, -1);
      },
    };
  }

  #refuseOver(entry: Count | undefined, limit: number): void {
    if (entry === undefined || entry.count < limit) return;
    const retryAfterSeconds = Math.ceil((entry.untilMs - this.#clock.nowMs()) / 1000);
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const message = `Too many failed attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
    throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds });
  }

  #add(key: string, by: number): void {
    const entry = this.#current(key);
    if (entry) entry.count = Math.max(0, entry.count + by);
    else if (by > 0) this.#counts.set(key, { count: 1, untilMs: this.#clock.nowMs() + WINDOW_MS });
  }

  #current(key: string): Count | undefined {
    const entry = this.#counts.get(key);
    if (entry && entry.untilMs > this.#clock.nowMs()) return entry;
    this.#counts.delete(key);
    return undefined;
  }
}

function strangersLimits(ip: string, account: string): readonly (readonly [key: string, limit: number])[] {
  const address = callerOfAddress(ip);
  return [
    [`pair ${address} ${account}`, PAIR_LIMIT],
    [address, ADDRESS_LIMIT],
    [`account ${account}`, ACCOUNT_LIMIT],
  ];
}
