/**
 * Limits how many DNS queries are sent at once.
 *
 * Hundreds of simultaneous datagrams overflow the receiver's buffers, and c-ares treats one lost answer as a
 * failing server: it repeats all pending queries and counts that as an attempt, until attempts run out for
 * names whose servers work. A query counts as long as its answer can be expected soon; a slower one frees its
 * slot, so that unresponsive names do not delay the others.
 *
 * Owns the number of counted queries and the waiting ones, in order.
 */
export const MAX_AT_ONCE = 64;
const SOON_MS = 250;

export class Burst {
  readonly #waiting: (() => void)[] = [];
  #counted = 0;

  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#counted >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#counted += 1;
    let counts = true;
    const makeRoom = () => {
      if (counts) this.#makeRoom();
      counts = false;
    };
    const timer = setTimeout(makeRoom, SOON_MS);
    try {
      return await ask();
    } finally {
      clearTimeout(timer);
      makeRoom();
    }
  }

  /** Passes the slot to the next query, or frees it. */
  #makeRoom(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#counted -= 1;
    else next();
  }
}
