/** It owns how much memory the large reports that are being received may take together, over all connections. */
const MAX_BYTES = 32 * 1024 * 1024;

export class ReportMemory {
  #left: number;

  constructor(bytes: number = MAX_BYTES) {
    this.#left = bytes;
  }

  /** False when there is not so much left, and then nothing is taken. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}
