/** Reports progress at a limited rate. */
import type { Say } from '../../runtime/say.ts';

const EVERY_MS = 2_000;

export class ThrottledProgress {
  readonly #say: Say;
  #lastMs = performance.now();

  constructor(say: Say) {
    this.#say = say;
  }

  now(line: string, share?: number): void {
    if (performance.now() - this.#lastMs < EVERY_MS) return;
    this.#lastMs = performance.now();
    this.#say(line, share);
  }
}
