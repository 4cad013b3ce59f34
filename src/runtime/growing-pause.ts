/**
 * The delay before a retry. It doubles each time up to a maximum, with a random reduction of up to half, so
 * that callers that failed together do not retry together.
 */
export class GrowingPause {
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #random: () => number;
  #nextMs: number;

  constructor(firstMs: number, longestMs: number, random: () => number = Math.random) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#random = random;
    this.#nextMs = firstMs;
  }

  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.#longestMs);
    return ms * (1 - this.#random() / 2);
  }

  /** Call after a success: the next delay is the first again. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
