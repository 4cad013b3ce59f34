/**
 * What addresses that are being warmed up may still send today, as a worker knows it. Taken from the database a few at a time, so
 * that all workers together send no more than is allowed; what a worker took and did not send is lost for the day.
 */
import type { Sql } from '../../kit/database/sql.ts';
import { BoundedMap } from '../../kit/runtime/bounded-map.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { utcDay } from '../../kit/runtime/moment.ts';
import { daysBefore, takeAllowance } from '../../routing/source-days.ts';
import { allowanceAt, curveFor, stepAfter, type WarmUp } from '../../routing/warm-up.ts';

export interface AllowancesOptions {
  readonly db: Sql;
  readonly clock: Clock;
}

interface Day {
  readonly day: string;
  /** Null: it is warm. */
  readonly allowed: number | null;
  inHand: number;
  /** Nothing is left: not asked again before. */
  emptyUntilMs: number;
  taking: Promise<void> | null;
}

/** Taken at once; the last ones singly. */
const CHUNK = 10;
/** A curve may be changed meanwhile. */
const ASK_AGAIN_MS = 30_000;
const MAX_DAYS = 10_000;

export class Allowances {
  readonly #options: AllowancesOptions;
  readonly #days = new BoundedMap<string, Promise<Day>>(MAX_DAYS);

  constructor(options: AllowancesOptions) {
    this.#options = options;
  }

  /** The table has changed: what is allowed is found out anew. What is in hand is lost. */
  renew(): void {
    this.#days.clear();
  }

  /** Whether one more mail may leave from the address to the provider today; then it counts. */
  async admit(address: string, provider: string, warmUp: WarmUp): Promise<boolean> {
    const today = await this.#today(address, provider, warmUp);
    if (today.allowed === null) return true;
    while (today.inHand === 0 && this.#options.clock.nowMs() >= today.emptyUntilMs) {
      today.taking ??= this.#take(address, provider, today).finally(() => {
        today.taking = null;
      });
      await today.taking;
    }
    if (today.inHand === 0) return false;
    today.inHand -= 1;
    return true;
  }

  /** Found out once, however many ask at midnight. */
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
    return { day: of.day, allowed, inHand: 0, emptyUntilMs: 0, taking: null };
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
