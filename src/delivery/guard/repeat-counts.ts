/**
 * Counts repeats of an email to one address, and says when one of them may be sent while they are slowed: one for each spacing, and
 * the others wait. Pure. A worker counts what it delivers itself.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';

/** The number of repeats within a time that makes a flood. */
export const FLOOD = { emails: 100, withinMs: 10 * MINUTE_MS };
/** While repeats are slowed, one of them is sent per spacing. */
export const SPACING_MS = MINUTE_MS;
const MAX_COUNTED = 50_000;

export interface Repeats {
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

  /** Counts an email that comes up for the first time. */
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

  /** Null: it may be sent, and the turn is taken. Otherwise the time of the next turn. */
  takeTurn(repeats: Repeats, nowMs: number): number | null {
    if (nowMs < repeats.nextTurnMs) return repeats.nextTurnMs;
    repeats.nextTurnMs = nowMs + this.#spacingMs;
    return null;
  }

  /** A flood is over when repeats have come no faster than they are sent. */
  #goesOn({ isSlowed, sinceMs, count }: Repeats, atMs: number): boolean {
    if (!isSlowed || atMs - sinceMs > 2 * FLOOD.withinMs) return false;
    return count > FLOOD.withinMs / SPACING_MS;
  }
}

export function isFlood({ count, isSlowed }: Repeats): boolean {
  return isSlowed || count >= FLOOD.emails;
}
