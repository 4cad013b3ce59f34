/**
 * Counts an organization's requests together with the other processes of the role. Each process reserves a
 * share of the minute's remaining requests in the database, spends it locally, and reserves the next when
 * half is spent, so that requests rarely wait. Shares shrink as less is left, so that little remains unused
 * in an idle process.
 *
 * Owns a purse for each caller. The first request of a minute is admitted while the first share is fetched,
 * so each process can exceed the limit by one request. While the database does not answer, no request is
 * refused: requests that need the database fail anyway.
 *
 * Sharing is off while there is no other process. The database's clock sets the minute, so all processes
 * agree on it.
 */
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Allowance, SharedCounts } from './rate-limit.ts';

export interface ShareAsk {
  readonly caller: string;
  /** Requests admitted before they were reserved. */
  readonly owed: number;
  readonly limit: number;
  /** A share is 1/`parts` of what is left. */
  readonly parts: number;
}

export interface Share {
  readonly minute: number;
  /** 0 only when nothing is left. */
  readonly granted: number;
  /** Requests that no process has reserved. */
  readonly left: number;
  readonly endsInMs: number;
}

export interface RateSharesOptions {
  readonly limit: number;
  readonly clock: Clock;
  readonly ask: (ask: ShareAsk) => Promise<Share>;
}

interface Purse {
  minute: number | null;
  held: number;
  /** Size of the last share. */
  granted: number;
  left: number;
  owed: number;
  endsMs: number;
  asking: Promise<boolean> | null;
}

/** Each process reserves 1/16 of what is left, so little is unused if all of them hold a share. */
const PARTS = 16;

export class RateShares implements SharedCounts {
  readonly #options: RateSharesOptions;
  readonly #purses = new Map<string, Purse>();
  #others = 0;
  #isOn = false;

  constructor(options: RateSharesOptions) {
    this.#options = options;
  }

  /** Sets the number of other processes. When it drops to zero, sharing ends with the minute. */
  setOthers(others: number): void {
    this.#others = others;
    this.#isOn ||= others > 0;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  turnMinute(): void {
    this.#isOn = this.#others > 0;
    for (const [caller, purse] of this.#purses)
      if (purse.asking === null && this.#isOver(purse)) this.#purses.delete(caller);
  }

  take(caller: string, counted: number): Allowance | Promise<Allowance> {
    const purse = this.#purseOf(caller);
    purse.owed += counted;
    if (purse.held > 0) return this.#spend(caller, purse);
    if (purse.minute === null && purse.owed === 0) return this.#lend(caller, purse);
    if (purse.minute !== null && purse.left === 0) return this.#allowance(purse, true);
    return this.#afterAsking(caller, purse);
  }

  #spend(caller: string, purse: Purse): Allowance {
    purse.held -= 1;
    if (purse.left > 0 && purse.held <= purse.granted / 2) void this.#ask(caller, purse);
    return this.#allowance(purse, false);
  }

  #lend(caller: string, purse: Purse): Allowance {
    purse.owed += 1;
    void this.#ask(caller, purse);
    return this.#allowance(purse, false);
  }

  async #afterAsking(caller: string, purse: Purse): Promise<Allowance> {
    if (await this.#ask(caller, purse)) return this.take(caller, 0);
    purse.owed += 1;
    return this.#allowance(purse, false);
  }

  /** False when the database did not answer. At most one query at a time. */
  #ask(caller: string, purse: Purse): Promise<boolean> {
    purse.asking ??= this.#askNow(caller, purse).finally(() => {
      purse.asking = null;
    });
    return purse.asking;
  }

  async #askNow(caller: string, purse: Purse): Promise<boolean> {
    const { limit, clock, ask } = this.#options;
    const { owed } = purse;
    const askedMs = clock.nowMs();
    try {
      const share = await ask({ caller, owed, limit, parts: PARTS * (this.#others + 1) });
      purse.held = share.granted + (share.minute === purse.minute ? purse.held : 0);
      purse.minute = share.minute;
      purse.granted = share.granted;
      purse.left = share.left;
      purse.owed -= owed;
      purse.endsMs = askedMs + share.endsInMs;
      return true;
    } catch {
      return false;
    }
  }

  #purseOf(caller: string): Purse {
    const known = this.#purses.get(caller);
    if (known !== undefined && !this.#isOver(known)) return known;
    const endsMs = (Math.floor(this.#options.clock.nowMs() / MINUTE_MS) + 1) * MINUTE_MS;
    const empty = { minute: null, held: 0, granted: 0, left: this.#options.limit, endsMs };
    // Keeps the same object: a query may be in flight.
    const purse = Object.assign(known ?? { owed: 0, asking: null }, empty);
    this.#purses.set(caller, purse);
    return purse;
  }

  /** Also true when the clock was set back. */
  #isOver({ endsMs }: Purse): boolean {
    const nowMs = this.#options.clock.nowMs();
    return nowMs >= endsMs || nowMs < endsMs - MINUTE_MS;
  }

  #allowance({ held, left, owed, endsMs }: Purse, exceeded: boolean): Allowance {
    const { limit, clock } = this.#options;
    return {
      limit,
      remaining: exceeded ? 0 : Math.max(0, held + left - owed),
      resetSeconds: Math.max(1, Math.ceil((endsMs - clock.nowMs()) / 1000)),
      exceeded,
    };
  }
}
