/**
 * Slows down guessing. Counts failed attempts in windows of 15 minutes, by network address, by account, and by both
 * together, in the database, so that it does not matter how many processes there are, or which of them is asked.
 *
 * An account has a ceiling, because guesses may come from as many addresses as anybody likes. A stranger must not lock its
 * owner out by that: a device that has signed in to the account before has an allowance of its own, which nobody else's
 * failures touch, and a new password by mail makes any browser such a device.
 * An attempt counts from its beginning, so that many at once do not slip through, and is given back when it succeeds.
 */
import { createHmac } from 'node:crypto';
import type { Sql } from '../../database/sql.ts';
import { callerOfAddress } from '../../runtime/caller-address.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { beginAttempt, type Ceiling, refundAttempt } from './sign-in-attempt-store.ts';

export const PAIR_LIMIT = 10;
export const DEVICE_LIMIT = 10;
export const ACCOUNT_LIMIT = 50;
export const ADDRESS_LIMIT = 100;
export const WINDOW_MS = 15 * MINUTE_MS;

export interface SignInAttempt {
  /** It was no guess: it does not count. */
  giveBack(): Promise<void>;
}

export interface ThrottleDeps {
  readonly db: Sql;
  readonly clock: Clock;
  /** Addresses are stored as their hashes. */
  readonly hashKey: Buffer;
}

export class SignInThrottle {
  readonly #deps: ThrottleDeps;

  constructor(deps: ThrottleDeps) {
    this.#deps = deps;
  }

  /** Counts an attempt, or throws RATE_LIMITED with the time to wait. `device`: one that the account knows. */
  async begin(ip: string, account: string, device?: string): Promise<SignInAttempt> {
    return this.#begin(
      device === undefined ? unknownDeviceLimits(ip, account) : [[`device ${device}`, DEVICE_LIMIT]],
    );
  }

  /** Whoever asks for many new passwords does not keep others from theirs: the account's ceiling is its own. */
  async beginReset(ip: string, account: string): Promise<void> {
    const address = callerOfAddress(ip);
    await this.#begin([
      [`reset ${address}`, PAIR_LIMIT],
      [address, ADDRESS_LIMIT],
      [`reset ${account}`, ACCOUNT_LIMIT],
    ]);
  }

  async #begin(limits: readonly Limit[]): Promise<SignInAttempt> {
    const ceilings = limits.map(([key, limit]) => ({ key: this.#hash(key), limit }));
    await this.#count(ceilings);
    return { giveBack: () => refundAttempt(this.#deps.db, ceilings, new Date(this.#deps.clock.nowMs())) };
  }

  async #count(ceilings: readonly Ceiling[]): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const at = { now: new Date(nowMs), ends: new Date(nowMs + WINDOW_MS) };
    const until = await beginAttempt(this.#deps.db, ceilings, at);
    if (until === null) return;
    const retryAfterSeconds = Math.ceil((until.getTime() - nowMs) / 1000);
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const message = `Too many failed attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
    throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds });
  }

  #hash(key: string): Buffer {
    return createHmac('sha256', this.#deps.hashKey).update(key).digest();
  }
}

type Limit = readonly [key: string, limit: number];

function unknownDeviceLimits(ip: string, account: string): readonly Limit[] {
  const address = callerOfAddress(ip);
  return [
    [`pair ${address} ${account}`, PAIR_LIMIT],
    [address, ADDRESS_LIMIT],
    [`account ${account}`, ACCOUNT_LIMIT],
  ];
}
