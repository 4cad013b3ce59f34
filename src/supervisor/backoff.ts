/** The delay before a restart: short after a single crash, longer after repeated ones. */

const FIRST_MS = 250;
const LONGEST_MS = 15_000;
/** A process that ran this long was working: restarting it at once serves more than waiting. */
const HEALTHY_AFTER_MS = 5_000;
/**
 * A process that ran this long had started successfully and crashed later, or was killed. Only processes that
 * fail to start wait longer.
 */
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
