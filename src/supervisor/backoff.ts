/** How long to wait before a restart: almost no time after a single crash, longer if it keeps happening. */

const FIRST_MS = 250;
const LONGEST_MS = 15_000;
/** What ran this long did its work: started again at once it does more of it than while we wait. */
const HEALTHY_AFTER_MS = 5_000;
/** What ran this long had started well: somebody killed it, or it broke at its work. Only what cannot start waits longer. */
const STARTED_AFTER_MS = 1_500;
const FAILURES_IF_STARTED = 2;

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
    const ranMs = this.#now() - this.#startedMs;
    if (ranMs > HEALTHY_AFTER_MS) this.#failures = 0;
    else if (ranMs > STARTED_AFTER_MS) this.#failures = Math.min(this.#failures, FAILURES_IF_STARTED);
    this.#failures += 1;
    return Math.min(FIRST_MS * 2 ** (this.#failures - 1), LONGEST_MS);
  }
}
