/**
 * The messages that each source address in warm-up may still send today. A worker reserves a few messages at a time in the
 * database, so that all workers together stay within the limit. Reserved messages that are not sent are lost for the day.
 */
import type { Sql } from '../../database/sql.ts';
import { daysBefore, takeAllowance } from '../../routing/source-days.ts';
import { allowanceAt, curveFor, stepAfter, type WarmUp } from '../../routing/warm-up.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SingleFlight } from '../../runtime/single-flight.ts';
import { utcDay } from '../../runtime/timestamp.ts';

interface AllowancesOptions {
  readonly db: Sql;
  readonly clock: Clock;
}

interface Day {
  readonly day: string;
  /** Null: the warm-up is over. */
  readonly allowed: number | null;
  inHand: number;
  /** Nothing is left: the database is not queried again before this time. */
  emptyUntilMs: number;
}

/** Messages reserved at once. The last messages of the day are reserved one by one. */
const CHUNK = 10;
/** The longest time until the database is queried again, because an operator may change the warm-up curve. */
const ASK_AGAIN_MS = 30_000;
const MAX_DAYS = 10_000;

export class Allowances {
  readonly #options: AllowancesOptions;
  readonly #days = new BoundedMap<string, Promise<Day>>(MAX_DAYS);
  readonly #taking = new SingleFlight<Day, void>();

  constructor(options: AllowancesOptions) {
    this.#options = options;
  }

  /** The route table has changed: limits are read again. Reserved messages are lost. */
  renew(): void {
    this.#days.clear();
  }

  /** Whether the address may send one more message to the provider today. Counts the message. */
  async admit(address: string, provider: string, warmUp: WarmUp): Promise<boolean> {
    const today = await this.#today(address, provider, warmUp);
    if (today.allowed === null) return true;
    while (today.inHand === 0 && this.#options.clock.nowMs() >= today.emptyUntilMs) {
      await this.#taking.run(today, () => this.#take(address, provider, today));
    }
    if (today.inHand === 0) return false;
    today.inHand -= 1;
    return true;
  }

  /** Read once, however many deliveries need it at midnight. */
  #today(address: string, provider: string, warmUp: WarmUp): Promise<Day> {
    const day = utcDay(this.#options.clock.nowMs());
    const key = `${address} ${provider} ${day}`;
    const known = this.#days.get(key);
    if (known !== undefined) return known;
    const finding = this.#find({ address, provider, day }, warmUp);
    this.#days.set(key, finding);
    finding.catch(() => this.#days.delete(key));
    return finding;
  }

  async #find(of: { address: string; provider: string; day: string }, warmUp: WarmUp): Promise<Day> {
    const curve = curveFor(warmUp, of.provider);
    const days = await daysBefore(this.#options.db, of, warmUp.since);
    const allowed = allowanceAt(curve, stepAfter(curve, days));
    return { day: of.day, allowed, inHand: 0, emptyUntilMs: 0 };
  }

  async #take(address: string, provider: string, today: Day): Promise<void> {
    const { db, clock } = this.#options;
    const of = { address, provider, day: today.day };
    for (const mails of [CHUNK, 1]) {
      if (!(await takeAllowance(db, of, mails, today.allowed ?? 0))) continue;
      today.inHand += mails;
      return;
    }
    today.emptyUntilMs = clock.nowMs() + ASK_AGAIN_MS;
  }
}
