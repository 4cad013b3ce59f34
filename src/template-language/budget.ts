/**
 * The cost limit for rendering one mail. Steps are the primary limit: they depend only on the template and
 * its data, so accepted content always renders again. The clock is a second limit, in case steps take longer
 * than estimated.
 *
 * The time limit is exceeded only when both wall-clock and processor time have passed. On a paused or
 * overloaded machine only the former passes, and the template is not at fault.
 */
import { RENDER_LIMITS } from './limits.ts';

export type Spent = 'steps' | 'time';

interface Stopwatch {
  /** Wall-clock time since an arbitrary moment. */
  readonly wallMs: () => number;
  /** Processor time of the whole process. */
  readonly cpuMs: () => number;
}

const stopwatch: Stopwatch = {
  wallMs: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** About 200 µs. Most mails finish before the first check of the clock. */
const STEPS_BETWEEN_LOOKS = 4_000;

export class RenderBudget {
  readonly #watch: Stopwatch;
  readonly #most: number;
  #steps = 0;
  #nextLook: number;
  #started: { readonly wallMs: number; readonly cpuMs: number } | null = null;

  constructor(watch: Stopwatch = stopwatch, most: number = RENDER_LIMITS.steps) {
    this.#watch = watch;
    this.#most = most;
    this.#nextLook = Math.min(STEPS_BETWEEN_LOOKS, most);
  }

  get steps(): number {
    return this.#steps;
  }

  /** Returns the exceeded limit, or null. */
  spend(steps: number): Spent | null {
    this.#steps += steps;
    return this.#steps > this.#nextLook ? this.#look() : null;
  }

  #look(): Spent | null {
    if (this.#steps > this.#most) return 'steps';
    if (this.#isLate()) return 'time';
    this.#nextLook = Math.min(this.#steps + STEPS_BETWEEN_LOOKS, this.#most);
    return null;
  }

  #isLate(): boolean {
    const { wallMs, cpuMs } = this.#watch;
    this.#started ??= { wallMs: wallMs(), cpuMs: cpuMs() };
    if (wallMs() - this.#started.wallMs <= RENDER_LIMITS.ms) return false;
    return cpuMs() - this.#started.cpuMs > RENDER_LIMITS.ms;
  }
}
