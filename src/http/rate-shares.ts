/**
 * Counts an organization's requests together with the other processes of the role. Each process reserves a
 * share of the minute's remaining requests in the database, spends it locally, and reserves the next when
 * half is spent, so that requests rarely wait. Shares shrink as less is left, so that little remains unused
 * in an idle process.
 *
 * Owns a callerShare for each caller. The first request of a minute is admitted while the first share is fetched,
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
  readonly uncounted: number;
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

interface RateSharesOptions {
  readonly limit: number;
  readonly clock: Clock;
  readonly ask: (ask: ShareAsk) => Promise<Share>;
}

interface CallerShare {
  minute: number | null;
  held: number;
  /** Size of the last share. */
  granted: number;
  left: number;
  uncounted: number;
  endsMs: number;
  query: Promise<boolean> | null;
}

/** Each process reserves 1/16 of what is left, so little is unused if all of them hold a share. */
const PARTS = 16;

export class RateShares implements SharedCounts {
  readonly #options: RateSharesOptions;
  readonly #callerShares = new Map<string, CallerShare>();
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
    for (const [caller, callerShare] of this.#callerShares)
      if (callerShare.query === null && this.#isOver(callerShare)) this.#callerShares.delete(caller);
  }

  take(caller: string, counted: number): Allowance | Promise<Allowance> {
    const callerShare = this.#callerShareOf(caller);
    callerShare.uncounted += counted;
    if (callerShare.held > 0) return this.#spend(caller, callerShare);
    if (callerShare.minute === null && callerShare.uncounted === 0)
      return this.#admitBeforeShare(caller, callerShare);
    if (callerShare.minute !== null && callerShare.left === 0) return this.#allowance(callerShare, true);
    return this.#afterQuery(caller, callerShare);
  }

  #spend(caller: string, callerShare: CallerShare): Allowance {
    callerShare.held -= 1;
    if (callerShare.left > 0 && callerShare.held <= callerShare.granted / 2)
      void this.#ask(caller, callerShare);
    return this.#allowance(callerShare, false);
  }

  #admitBeforeShare(caller: string, callerShare: CallerShare): Allowance {
    callerShare.uncounted += 1;
    void this.#ask(caller, callerShare);
    return this.#allowance(callerShare, false);
  }

  async #afterQuery(caller: string, callerShare: CallerShare): Promise<Allowance> {
    if (await this.#ask(caller, callerShare)) return this.take(caller, 0);
    callerShare.uncounted += 1;
    return this.#allowance(callerShare, false);
  }

  /** False when the database did not answer. At most one query at a time. */
  #ask(caller: string, callerShare: CallerShare): Promise<boolean> {
    callerShare.query ??= this.#queryNow(caller, callerShare).finally(() => {
      callerShare.query = null;
    });
    return callerShare.query;
  }

  async #queryNow(caller: string, callerShare: CallerShare): Promise<boolean> {
    const { limit, clock, ask } = this.#options;
    const { uncounted } = callerShare;
    const askedMs = clock.nowMs();
    try {
      const share = await ask({ caller, uncounted, limit, parts: PARTS * (this.#others + 1) });
      callerShare.held = share.granted + (share.minute === callerShare.minute ? callerShare.held : 0);
      callerShare.minute = share.minute;
      callerShare.granted = share.granted;
      callerShare.left = share.left;
      callerShare.uncounted -= uncounted;
      callerShare.endsMs = askedMs + share.endsInMs;
      return true;
    } catch {
      return false;
    }
  }

  #callerShareOf(caller: string): CallerShare {
    const known = this.#callerShares.get(caller);
    if (known !== undefined && !this.#isOver(known)) return known;
    const endsMs = (Math.floor(this.#options.clock.nowMs() / MINUTE_MS) + 1) * MINUTE_MS;
    const empty = { minute: null, held: 0, granted: 0, left: this.#options.limit, endsMs };
    // Keeps the same object: a query may be in flight.
    const callerShare = Object.assign(known ?? { uncounted: 0, query: null }, empty);
    this.#callerShares.set(caller, callerShare);
    return callerShare;
  }

  /** Also true when the clock was set back. */
  #isOver({ endsMs }: CallerShare): boolean {
    const nowMs = this.#options.clock.nowMs();
    return nowMs >= endsMs || nowMs < endsMs - MINUTE_MS;
  }

  #allowance({ held, left, uncounted, endsMs }: CallerShare, exceeded: boolean): Allowance {
    const { limit, clock } = this.#options;
    return {
      limit,
      remaining: exceeded ? 0 : Math.max(0, held + left - uncounted),
      resetSeconds: Math.max(1, Math.ceil((endsMs - clock.nowMs()) / 1000)),
      exceeded,
    };
  }
}
