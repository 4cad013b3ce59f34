/**
 * Counts an organization's requests together with the other processes of the role. Each takes from the database a share of
 * what is left of the minute, spends it without asking, and asks for the next when half of it is spent, so that hardly
 * anybody waits. Shares get smaller as less is left, so that little of it lies unused with a process that nobody asks.
 *
 * Owns a purse for each caller. The first request of a minute is let through while the first share is asked for: that is
 * all that can go beyond the limit, once for each process. While the database does not answer, nobody is refused: what
 * needs it fails anyway.
 *
 * It is off while there is no other process. The minute is the database's, so that it is the same for all of them.
 */
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Allowance, SharedCounts } from './rate-limit.ts';

export interface ShareAsk {
  readonly caller: string;
  /** Let through before it was asked. */
  readonly owed: number;
  readonly limit: number;
  /** A share is one of so many parts of what is left. */
  readonly parts: number;
}

export interface Share {
  readonly minute: number;
  /** None only where nothing is left. */
  readonly granted: number;
  /** What nobody has taken yet. */
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
  /** How large the last share was. */
  granted: number;
  left: number;
  owed: number;
  endsMs: number;
  asking: Promise<boolean> | null;
}

/** Of each process: so little lies unused if all of them hold a share. */
const PARTS = 16;

export class RateShares implements SharedCounts {
  readonly #options: RateSharesOptions;
  readonly #purses = new Map<string, Purse>();
  #others = 0;
  #isOn = false;

  constructor(options: RateSharesOptions) {
    this.#options = options;
  }

  /** How many other processes there are. Where there are none any more, it ends with the minute. */
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

  /** False where there was no answer. One question at a time. */
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
    // The same one: a question may be under way.
    const purse = Object.assign(known ?? { owed: 0, asking: null }, empty);
    this.#purses.set(caller, purse);
    return purse;
  }

  /** Also where the clock was set back. */
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
