/**
 * The beginning of a transfer in one buffer, which doubles up to a limit. A list of pieces would cost a
 * hundred bytes each, and the sender determines their size.
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

  /** Copies as much as fits. */
  add(bytes: Uint8Array): void {
    const end = Math.min(this.#length + bytes.length, this.#maxBytes);
    if (end === this.#length) return;
    this.#makeRoom(end);
    this.#buffer.set(bytes.subarray(0, end - this.#length), this.#length);
    this.#length = end;
  }

  /** A view of the content, valid until the next addition. */
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
/** Most reports are smaller. */
const FIRST_BYTES = 8 * 1024;
