/** Limits how long rendering the emails of one request delays others: per turn, and in total. */
import { setImmediate as breathe } from 'node:timers/promises';

/** Rendering a thousand emails takes so long that other work needs turns in between. */
const BREATHE_AFTER_MS = 5;
/** About one second of one core: a hundred full renders, or a thousand that use a tenth of their allowance each. */
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
