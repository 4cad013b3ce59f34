/** One mail of a rule that moves its mail to another transport: which of the two ways it took, as it turns out. */
import type { CanaryTaken } from '../../events/attempts.ts';
import type { Canary } from '../../routing/canary/plan.ts';
import { CANARY_STEP } from '../../routing/choice.ts';
import type { Way } from '../scheduler/connection-slot.ts';

export class CanaryMail {
  readonly #canary: Canary;
  readonly #percent: number;
  #newWays = 0;
  readonly #passedOver = new Set<Way>();

  constructor(canary: Canary, percent: number) {
    this.#canary = canary;
    this.#percent = percent;
  }

  taken(step: number): CanaryTaken {
    const about = { name: this.#canary.name, percent: this.#percent };
    if (step === CANARY_STEP) return { way: 'new', ...about };
    const isInstead = this.#newWays > 0 && this.#passedOver.size === this.#newWays;
    return isInstead ? { way: 'old', instead: true, ...about } : { way: 'old', ...about };
  }

  /** New ways that were set aside, or have failed, count against them; those that may send no more today do not. */
  watch(ways: readonly Way[]): readonly Way[] {
    const fresh = ways.filter(({ taken }) => taken.step === CANARY_STEP + 1);
    this.#newWays = fresh.length;
    for (const way of fresh) way.passedOver = () => this.#passedOver.add(way);
    return ways;
  }
}
