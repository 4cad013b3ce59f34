/** Counts of refused and of decided emails. Pure. */

export interface RefusalCount {
  refused: number;
  /** Accepted or refused. */
  decided: number;
}

export function noRefusals(): RefusalCount {
  return { refused: 0, decided: 0 };
}

export function addTo(count: RefusalCount, isRefused: boolean): void {
  count.decided += 1;
  if (isRefused) count.refused += 1;
}

/** Never below zero: a lane that was evicted and added again has counted only part of its mail. */
export function without(all: RefusalCount, part: RefusalCount): RefusalCount {
  return {
    refused: Math.max(0, all.refused - part.refused),
    decided: Math.max(0, all.decided - part.decided),
  };
}

/** The counts of a period and of the period before it. Periods are numbered by the caller. */
export class RecentRefusals {
  #period = 0;
  #current = noRefusals();
  #previous = noRefusals();

  add(period: number, isRefused: boolean): void {
    this.#moveTo(period);
    addTo(this.#current, isRefused);
  }

  of(period: number): RefusalCount {
    this.#moveTo(period);
    return {
      refused: this.#current.refused + this.#previous.refused,
      decided: this.#current.decided + this.#previous.decided,
    };
  }

  /** Subtracts earlier counts, from the latest period first. */
  remove({ refused, decided }: RefusalCount): void {
    const { refused: lateRefused, decided: lateDecided } = this.#current;
    this.#current = without(this.#current, { refused, decided });
    const early = { refused: refused - lateRefused, decided: decided - lateDecided };
    this.#previous = without(this.#previous, {
      refused: Math.max(0, early.refused),
      decided: Math.max(0, early.decided),
    });
  }

  /** A clock that was set back leaves the counts in the later period. */
  #moveTo(period: number): void {
    if (period <= this.#period) return;
    this.#previous = period === this.#period + 1 ? this.#current : noRefusals();
    this.#current = noRefusals();
    this.#period = period;
  }
}
