/**
 * Limits guesses at the second factor. A caller at this point has the password, so the limit applies to the account
 * regardless of network address: ten wrong codes within an hour, then a lockout that doubles each time, up to a day.
 * The database keeps the count, and the user is notified by mail. Recovery codes count, too.
 *
 * Devices that have signed in before have a separate count, so that a thief of the password cannot lock the owner
 * out.
 */
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/durations.ts';
import type { Log } from '../../runtime/log.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { SendAccountMail } from './account-mail.ts';
import {
  coolDownEndsAt,
  countTry,
  refundTry,
  type SecondFactorSubject,
  startCoolDown,
} from './second-factor-store.ts';
import type { UserRow } from './store.ts';

const MAX_WRONG_CODES = 10;
const WINDOW_MS = HOUR_MS;
const FIRST_COOL_DOWN_MS = 15 * MINUTE_MS;
const LONGEST_COOL_DOWN_MS = DAY_MS;
/** After a week without failures, cool-downs start short again. */
const FORGOTTEN_MS = 7 * DAY_MS;
/** The minimum time between two notices. */
const NOTICE_MS = DAY_MS;

interface CeilingDeps {
  readonly db: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly sendMail: SendAccountMail;
}

interface CodeAttempt {
  readonly user: UserRow;
  readonly knownDevice: boolean;
  readonly ip: string;
}

export class SecondFactorCeiling {
  readonly #deps: CeilingDeps;

  constructor(deps: CeilingDeps) {
    this.#deps = deps;
  }

  /** Runs `check` unless the limit of wrong codes is reached; counts the attempt unless the code is right. */
  async guarded<T>(guess: CodeAttempt, check: () => Promise<T | null>): Promise<T | null> {
    const guesser = { userId: guess.user.id, knownDevice: guess.knownDevice };
    const failures = await this.#count(guesser);
    if (failures > MAX_WRONG_CODES) {
      await this.#coolDown(guess, guesser);
      throw await this.#refusal(guesser);
    }
    const result = await check();
    if (result !== null) await refundTry(this.#deps.db, guesser);
    else if (failures >= MAX_WRONG_CODES) await this.#coolDown(guess, guesser);
    return result;
  }

  async #count(guesser: SecondFactorSubject): Promise<number> {
    const nowMs = this.#deps.clock.nowMs();
    const failures = await countTry(this.#deps.db, guesser, {
      now: new Date(nowMs),
      windowStart: new Date(nowMs - WINDOW_MS),
      forgottenBefore: new Date(nowMs - FORGOTTEN_MS),
    });
    if (failures === undefined) throw await this.#refusal(guesser);
    return failures;
  }

  async #coolDown(guess: CodeAttempt, guesser: SecondFactorSubject): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const begun = await startCoolDown(this.#deps.db, guesser, {
      now: new Date(nowMs),
      firstSeconds: FIRST_COOL_DOWN_MS / 1000,
      mostSeconds: LONGEST_COOL_DOWN_MS / 1000,
      notifiedBefore: new Date(nowMs - NOTICE_MS),
    });
    // The response does not wait for the mail.
    if (begun?.notify) this.#sendNotice(guess).catch((error: unknown) => this.#failed(error));
  }

  async #sendNotice({ user, ip }: CodeAttempt): Promise<void> {
    const text = `Hello${user.name === null ? '' : ` ${user.name}`},

somebody who knows your password at Postrider has entered ${MAX_WRONG_CODES} wrong codes for your second factor, the last code
from ${ip}. Nobody was signed in. For a while, devices that have never signed in to your account cannot enter codes.

If you entered these codes, wait, or sign in with a browser that you have used before. If you did not, somebody has your
password: sign in and choose a new password, or ask for a link at the sign-in page.
`;
    const subject = 'Somebody is guessing your second factor';
    const sent = await this.#deps.sendMail({ kind: 'security_notice', to: user.email, subject, text });
    if (!sent)
      this.#deps.log.warn({ user: user.id }, 'could not mail a notice of wrong codes: no mail can be sent');
  }

  #failed(error: unknown): void {
    this.#deps.log.error({ err: error }, 'could not mail a notice of wrong codes');
  }

  async #refusal(guesser: SecondFactorSubject): Promise<ServiceError> {
    const until = (await coolDownEndsAt(this.#deps.db, guesser))?.getTime() ?? 0;
    const retryAfterSeconds = Math.max(1, Math.ceil((until - this.#deps.clock.nowMs()) / 1000));
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const message = `Too many wrong codes for this account. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
    return new ServiceError('RATE_LIMITED', message, { retryAfterSeconds });
  }
}
