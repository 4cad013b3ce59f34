/**
 * The congestion window of a site, in connections: small at first, larger after successes, smaller after failures.
 *
 * Owns the width and the failures in a row. One more connection after N deliveries at width N; one less after N
 * failures at width N. The site is `hopeless` when a whole cohort of deliveries (as many as there were connections, at least
 * three) has failed without a success between them.
 */
const START = 5;
const SMALLEST_COHORT = 3;

export class Window {
  #width = START;
  #failures = 0;
  #cohort = SMALLEST_COHORT;

  /** Never less than one. */
  width(limit: number): number {
    return Math.max(1, Math.min(Math.floor(this.#width), limit));
  }

  worked(limit: number): void {
    this.#failures = 0;
    if (this.#width < limit) this.#width = Math.min(limit, this.#width + 1 / Math.floor(this.#width));
  }

  /** True when the site is hopeless. */
  failed(limit: number): boolean {
    const width = this.width(limit);
    if (this.#failures === 0) this.#cohort = Math.max(width, SMALLEST_COHORT);
    this.#failures += 1;
    this.#width = Math.max(1, Math.min(this.#width, limit) - 1 / width);
    return this.#failures >= this.#cohort;
  }

  restart(): void {
    this.#width = START;
    this.#failures = 0;
  }
}
