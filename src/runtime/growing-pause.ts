/**
 * The wait before something is tried again: twice as long each time, up to a longest one. It is cut by up to a half, at
 * random, so that those who failed in the same moment do not come back in the same one.
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

  /** It worked: the next failure is the first again. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
