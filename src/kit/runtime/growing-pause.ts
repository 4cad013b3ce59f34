/** The wait before something is tried again: twice as long each time, up to a longest one. */
export class GrowingPause {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #nextMs: number;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#nextMs = firstMs;
  }

  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.#longestMs);
    return ms;
  }

  /** It worked: the next failure is the first again. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
