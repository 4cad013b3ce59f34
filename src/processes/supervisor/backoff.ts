/** How long to wait before starting something again: at once for an accident, slower for a habit. */

const FIRST_MS = 250;
const LONGEST_MS = 15_000;
/** What ran this long did its work: started again at once it does more of it than while we wait. */
const HEALTHY_AFTER_MS = 5_000;

export class Backoff {
  readonly #now: () => number;
  #startedMs = 0;
  #failures = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  started(): void {
    this.#startedMs = this.#now();
  }

  nextDelayMs(): number {
    if (this.#now() - this.#startedMs > HEALTHY_AFTER_MS) this.#failures = 0;
    this.#failures += 1;
    return Math.min(FIRST_MS * 2 ** (this.#failures - 1), LONGEST_MS);
  }
}
