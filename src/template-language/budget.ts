/**
 * What one mail may cost to render. Steps are the rule: they depend on the template and its data alone, so that what
 * is accepted today renders tomorrow. The clock stands behind them, should steps ever turn out dearer than they are
 * thought to be.
 *
 * It is late when time has passed and the processor was at work for it. On a machine that was paused or has too much
 * to do only the first is so, and no template is to blame for that.
 */
import { RENDER_LIMITS } from './limits.ts';

export type Spent = 'steps' | 'time';

export interface Stopwatch {
  /** Since any moment. */
  readonly wallMs: () => number;
  /** Of the processor, for all of this process. */
  readonly cpuMs: () => number;
}

export const stopwatch: Stopwatch = {
  wallMs: () => performance.now(),
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** About 200 µs. Most mail is done before the first look and never asks for the time. */
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

  /** What ran out, or null. */
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
