/**
 * Limits how many DNS queries are sent at once.
 *
 * Hundreds of datagrams in the same moment overflow the receiver's buffers, and c-ares takes one lost answer for a
 * failing server: it repeats all pending queries and counts that as an attempt, until attempts run out for names whose
 * servers are fine. A question counts for as long as its answer can be expected soon; one that takes longer makes room,
 * so that names nobody answers for do not hold up the others.
 *
 * Owns the number of questions that count, and those that wait for their turn, in order.
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

  /** The place goes to the next in line, or is free. */
  #makeRoom(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#counted -= 1;
    else next();
  }
}
