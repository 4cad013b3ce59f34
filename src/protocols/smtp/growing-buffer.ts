/**
 * The beginning of something that arrives in pieces, in one buffer that doubles as it grows, up to a bound. A list of the
 * pieces would cost a hundred bytes for each of them, and whoever sends decides how small they are.
 */
export class GrowingBuffer {
  readonly #maxBytes: number;
  #buffer = NOTHING;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies as much of it as there is room for. */
  add(bytes: Uint8Array): void {
    const end = Math.min(this.#length + bytes.length, this.#maxBytes);
    if (end === this.#length) return;
    this.#makeRoom(end);
    this.#buffer.set(bytes.subarray(0, end - this.#length), this.#length);
    this.#length = end;
  }

  /** What was added; a view, good until more is. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#buffer = NOTHING;
    this.#length = 0;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const size = Math.max(FIRST_BYTES, bytes, 2 * this.#buffer.length);
    const larger = Buffer.allocUnsafeSlow(Math.min(size, this.#maxBytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

const NOTHING = Buffer.alloc(0);
/** Most reports are no longer. */
const FIRST_BYTES = 8 * 1024;
