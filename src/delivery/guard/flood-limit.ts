/**
 * How many repeats of an email to one address are a flood. While they are slowed, one of them may be sent per spacing and the others
 * wait. Pure. Each worker counts its own deliveries.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';

/** A flood is at least this number of repeats within this time. */
export const FLOOD = { emails: 100, withinMs: 10 * MINUTE_MS };
/** While repeats are slowed, one of them is sent per spacing. */
export const SPACING_MS = MINUTE_MS;
const MAX_COUNTED = 50_000;

interface Repeats {
  sinceMs: number;
  count: number;
  isSlowed: boolean;
  nextTurnMs: number;
}

export class RepeatCounts {
  readonly #counted = new BoundedMap<string, Repeats>(MAX_COUNTED);
  readonly #spacingMs: number;

  constructor(spacingMs = SPACING_MS) {
    this.#spacingMs = spacingMs;
  }

  /** Counts an email at its first delivery. */
  count(key: string, atMs: number): Repeats {
    const known = this.#counted.get(key);
    if (known !== undefined && atMs - known.sinceMs <= FLOOD.withinMs) {
      known.count += 1;
      return known;
    }
    const next = {
      sinceMs: atMs,
      count: 1,
      isSlowed: known !== undefined && this.#goesOn(known, atMs),
      nextTurnMs: known?.nextTurnMs ?? 0,
    };
    this.#counted.set(key, next);
    return next;
  }

  of(key: string): Repeats | undefined {
    return this.#counted.get(key);
  }

  /** Null: the email may be sent, and takes the turn. Otherwise the time of the next turn. */
  takeTurn(repeats: Repeats, nowMs: number): number | null {
    if (nowMs < repeats.nextTurnMs) return repeats.nextTurnMs;
    repeats.nextTurnMs = nowMs + this.#spacingMs;
    return null;
  }

  /** A flood continues while repeats arrive faster than they are sent. */
  #goesOn({ isSlowed, sinceMs, count }: Repeats, atMs: number): boolean {
    if (!isSlowed || atMs - sinceMs > 2 * FLOOD.withinMs) return false;
    return count > FLOOD.withinMs / SPACING_MS;
  }
}

export function isFlood({ count, isSlowed }: Repeats): boolean {
  return isSlowed || count >= FLOOD.emails;
}
