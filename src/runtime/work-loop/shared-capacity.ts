/**
 * Capacity that callers share, mainly memory. It is taken as needed and refused when used up; one caller may
 * take at most half of it.
 */
export class SharedCapacity {
  readonly #totalBytes: number;
  readonly #byCaller = new Map<string, number>();
  #used = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** Most of the capacity is taken, so callers that hold unused capacity keep others out. */
  get isShort(): boolean {
    return this.#used > this.#totalBytes / 2;
  }

  /** False when there is not enough capacity. */
  take(caller: string, bytes: number): boolean {
    const own = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (this.#used + bytes > this.#totalBytes || own > this.#totalBytes / 2) return false;
    this.#byCaller.set(caller, own);
    this.#used += bytes;
    return true;
  }

  release(caller: string, bytes: number): void {
    this.#used -= bytes;
    const left = (this.#byCaller.get(caller) ?? 0) - bytes;
    if (left > 0) this.#byCaller.set(caller, left);
    else this.#byCaller.delete(caller);
  }
}
