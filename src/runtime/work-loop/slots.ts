/**
 * Limits concurrent work, in total and per caller, so that no caller can occupy all slots. Others wait in order
 * of arrival, but overtake those whose caller has used its share. A waiting caller leaves when its signal
 * aborts.
 *
 * Owns the counts of running work and the waiting callers.
 */
interface SlotCounts {
  readonly all: number;
  readonly perCaller: number;
}

interface Waiting {
  readonly caller: string;
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
  async hold<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#hasRoomFor(caller)) this.#enter(caller);
    else await this.#wait(caller, signal);
    try {
      return await work();
    } finally {
      this.#leave(caller);
    }
  }

  #wait(caller: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting = { caller, go };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #leave(caller: string): void {
    const left = (this.#inside.get(caller) ?? 0) - 1;
    if (left > 0) this.#inside.set(caller, left);
    else this.#inside.delete(caller);
    this.#total -= 1;
    for (const waiting of this.#waiting) {
      if (!this.#hasRoomFor(waiting.caller)) continue;
      this.#waiting.delete(waiting);
      this.#enter(waiting.caller);
      waiting.go();
      return;
    }
  }

  #hasRoomFor(caller: string): boolean {
    const { all, perCaller } = this.#counts;
    return this.#total < all && (this.#inside.get(caller) ?? 0) < perCaller;
  }

  #enter(caller: string): void {
    this.#inside.set(caller, (this.#inside.get(caller) ?? 0) + 1);
    this.#total += 1;
  }
}
