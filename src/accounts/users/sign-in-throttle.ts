/**
 * Limits password guessing. Counts failed attempts in windows of 15 minutes by network address, by account, and by
 * both together. The counts are in the database, so that all processes share them.
 *
 * An account has a ceiling because guesses may come from any number of addresses. To keep an attacker from locking
 * the owner out, a device that has signed in before has a separate allowance. Setting a new password by mail makes
 * the browser a known device.
 * An attempt counts from its start, so that concurrent attempts cannot exceed the limit, and is refunded on success.
 */
import { createHmac } from 'node:crypto';
import { type Sql, sql } from '../../database/sql.ts';
import { callerOfAddress } from '../../runtime/caller-address.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import { ServiceError } from '../../runtime/service-error.ts';

export const PAIR_LIMIT = 10;
export const DEVICE_LIMIT = 10;
export const ACCOUNT_LIMIT = 50;
export const ADDRESS_LIMIT = 100;
export const WINDOW_MS = 15 * MINUTE_MS;

export interface SignInAttempt {
  /** Refunds the attempt: the password was right. */
  refund(): Promise<void>;
}

interface ThrottleDeps {
  readonly db: Sql;
  readonly clock: Clock;
  /** Keys the hashes under which network addresses are stored. */
  readonly hashKey: Buffer;
}

export class SignInThrottle {
  readonly #deps: ThrottleDeps;

  constructor(deps: ThrottleDeps) {
    this.#deps = deps;
  }

  /**
   * Counts an attempt, or throws RATE_LIMITED with the time to wait. `device`: the id of a device known to the
   * account.
   */
  async begin(ip: string, account: string, device?: string): Promise<SignInAttempt> {
    return this.#begin(
      device === undefined ? unknownDeviceLimits(ip, account) : [[`device ${device}`, DEVICE_LIMIT]],
    );
  }

  /**
   * Password resets have ceilings of their own, so that many requests for an account do not block its owner's
   * sign-in.
   */
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
    return { refund: () => refundAttempt(this.#deps.db, ceilings, new Date(this.#deps.clock.nowMs())) };
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

const begin = sql<{ refused: Date | null }>(
  'sign_in_attempts.begin',
  'SELECT begin_sign_in($1::bytea[], $2::int[], $3, $4) AS refused',
  { home: 'control' },
);

const refund = sql(
  'sign_in_attempts.refund',
  `UPDATE sign_in_attempts AS a SET count = greatest(0, a.count - 1)
   FROM (SELECT key FROM sign_in_attempts WHERE key = ANY ($1::bytea[]) AND until > $2 ORDER BY key FOR UPDATE) AS mine
   WHERE a.key = mine.key`,
  { home: 'control' },
);

const removeExpired = sql('sign_in_attempts.expire', 'DELETE FROM sign_in_attempts WHERE until <= $1', {
  home: 'control',
});

interface Ceiling {
  readonly key: Buffer;
  readonly limit: number;
}

/** Counts an attempt towards every ceiling. When one is reached, counts nothing and returns when its window ends. */
async function beginAttempt(
  db: Sql,
  ceilings: readonly Ceiling[],
  at: { readonly now: Date; readonly ends: Date },
): Promise<Date | null> {
  const keys = ceilings.map(({ key }) => key);
  const limits = ceilings.map(({ limit }) => limit);
  return (await db.one(begin, [keys, limits, at.now, at.ends])).refused;
}

/** The one writer of `sign_in_attempts`. All processes share these counts. */
async function refundAttempt(db: Sql, ceilings: readonly Ceiling[], now: Date): Promise<void> {
  await db.exec(refund, [ceilings.map(({ key }) => key), now]);
}

export async function removeExpiredAttempts(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeExpired, [new Date(nowMs)]);
}
