/** What rendering the mails of one request has others wait for: never long at a time, and not forever in all. */
import { setImmediate as breathe } from 'node:timers/promises';

/** Rendering a thousand takes long enough that others must get a turn in between. */
const BREATHE_AFTER_MS = 5;
/** About a second of one core: a hundred full renders, or a thousand with a tenth of what each may take. */
const MAX_STEPS = 20_000_000;

export class RequestRenderBudget {
  #steps = 0;
  #sinceMs = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#sinceMs < BREATHE_AFTER_MS) return;
    await breathe();
    this.#sinceMs = performance.now();
  }

  spend(steps: number): void {
    this.#steps += steps;
  }

  get isTooMuch(): boolean {
    return this.#steps > MAX_STEPS;
  }
}
