/**
 * Limits concurrent work, in total and per party, so that no party can occupy all slots. Others wait in order
 * of arrival, but overtake those whose party has used its share. A waiting caller leaves when its signal
 * aborts.
 *
 * Owns the counts of running work and the waiting callers.
 */
export interface SlotCounts {
  readonly all: number;
  readonly ofOneParty: number;
}

interface Waiting {
  readonly party: string;
  readonly go: () => void;
}

export class Slots {
  readonly #counts: SlotCounts;
  readonly #inside = new Map<string, number>();
  #total = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(counts: SlotCounts) {
    this.#counts = counts;
  }

  /** Rejects with the signal's reason if the signal aborts first. */
  async hold<T>(party: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#hasRoomFor(party)) this.#enter(party);
    else await this.#wait(party, signal);
    try {
      return await work();
    } finally {
      this.#leave(party);
    }
  }

  #wait(party: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting = { party, go };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #leave(party: string): void {
    const left = (this.#inside.get(party) ?? 0) - 1;
    if (left > 0) this.#inside.set(party, left);
    else this.#inside.delete(party);
    this.#total -= 1;
    for (const waiting of this.#waiting) {
      if (!this.#hasRoomFor(waiting.party)) continue;
      this.#waiting.delete(waiting);
      this.#enter(waiting.party);
      waiting.go();
      return;
    }
  }

  #hasRoomFor(party: string): boolean {
    const { all, ofOneParty } = this.#counts;
    return this.#total < all && (this.#inside.get(party) ?? 0) < ofOneParty;
  }

  #enter(party: string): void {
    this.#inside.set(party, (this.#inside.get(party) ?? 0) + 1);
    this.#total += 1;
  }
}
