/**
 * Records failed sign-ins: a count in the metrics and, for existing accounts, an audit log entry in each of their
 * organizations. One entry covers all failures of one account, kind and hour, so that guessing does not fill the
 * disk. The response does not wait for the entry, because its time must not reveal whether the user exists.
 */
import type { Sql } from '../../database/sql.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS } from '../../runtime/durations.ts';
import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { noteRefusedSignIn } from '../audit-log/store.ts';
import type { UserRow } from './store.ts';

type FailureReason = 'unknown_user' | 'wrong_password' | 'wrong_code' | 'throttled';

/** The maximum number of accounts in `#throttledIn`; the oldest are dropped and may be written again. */
const MAX_REMEMBERED = 10_000;

interface FailureDeps {
  readonly db: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

export class SignInFailures {
  readonly #deps: FailureDeps;
  readonly #count: (labels: { readonly reason: FailureReason }) => void;
  /**
   * The hour of each account's last written throttling. Refusals are cheap and unlimited, so they are written once
   * per hour.
   */
  readonly #throttledIn = new BoundedMap<string, number>(MAX_REMEMBERED);
  /** Writes are serialized: two concurrent ones would both find no entry and insert one each. */
  #written: Promise<void> = Promise.resolve();

  constructor(deps: FailureDeps) {
    this.#deps = deps;
    this.#count = deps.metrics.counter(
      'postrider_sign_in_failures_total',
      'Sign-ins that failed, by reason: unknown_user, wrong_password, wrong_code, throttled.',
      ['reason'],
    );
  }

  /** Records an error of `signIn` and rethrows it. */
  async noted<T>(user: UserRow | undefined, ip: string, signIn: () => Promise<T>): Promise<T> {
    try {
      return await signIn();
    } catch (error) {
      const reason = reasonOf(error, user);
      if (reason !== null) this.note(reason, user, ip);
      throw error;
    }
  }

  note(reason: FailureReason, user: UserRow | undefined, ip: string): void {
    this.#count({ reason });
    if (user === undefined || (reason === 'throttled' && !this.#isFirstThrottled(user.id))) return;
    const { db, clock, log } = this.#deps;
    const nowMs = clock.nowMs();
    const { id: userId } = user;
    this.#written = this.#written
      .then(() => noteRefusedSignIn(db, nowMs, { userId, reason, address: ip }))
      .catch((error: unknown) =>
        log.error({ err: error, user: userId, reason, address: ip }, 'could not write to the audit log'),
      );
  }

  #isFirstThrottled(userId: string): boolean {
    const hour = Math.floor(this.#deps.clock.nowMs() / HOUR_MS);
    if (this.#throttledIn.get(userId) === hour) return false;
    this.#throttledIn.set(userId, hour);
    return true;
  }
}

/** Null when no credential was wrong: the code was still missing, or the server failed. */
function reasonOf(error: unknown, user: UserRow | undefined): FailureReason | null {
  if (!(error instanceof ServiceError)) return null;
  if (error.code === 'RATE_LIMITED') return 'throttled';
  if (error.code === 'UNAUTHORIZED') return user === undefined ? 'unknown_user' : 'wrong_password';
  return error.code === 'TOTP_REQUIRED' && error.problems.length > 0 ? 'wrong_code' : null;
}
