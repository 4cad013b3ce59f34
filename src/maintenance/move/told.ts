/** Tells how far something is, and not more often than somebody reads it. */
const EVERY_MS = 2_000;

export class Told {
  readonly #say: (line: string) => void;
  #lastMs = performance.now();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  now(line: string): void {
    if (performance.now() - this.#lastMs < EVERY_MS) return;
    this.#lastMs = performance.now();
    this.#say(line);
  }
}
