/** Tracks which path one mail of a canary took. A canary is a rule that moves its mail to another transport step by step. */
import type { CanaryTaken } from '../../events/attempts.ts';
import type { Canary } from '../../routing/canary/plan.ts';
import { CANARY_STEP } from '../../routing/choice.ts';
import type { EgressPath } from '../scheduler/connection-slot.ts';

export class CanaryMail {
  readonly #canary: Canary;
  readonly #percent: number;
  #newPaths = 0;
  readonly #skipped = new Set<EgressPath>();

  constructor(canary: Canary, percent: number) {
    this.#canary = canary;
    this.#percent = percent;
  }

  taken(step: number): CanaryTaken {
    const about = { name: this.#canary.name, percent: this.#percent };
    if (step === CANARY_STEP) return { way: 'new', ...about };
    const isInstead = this.#newPaths > 0 && this.#skipped.size === this.#newPaths;
    return isInstead ? { way: 'old', instead: true, ...about } : { way: 'old', ...about };
  }

  /** New paths that were skipped or have failed count against the canary. New paths without an allowance for today do not. */
  watch(paths: readonly EgressPath[]): readonly EgressPath[] {
    const fresh = paths.filter(({ taken }) => taken.step === CANARY_STEP + 1);
    this.#newPaths = fresh.length;
    for (const path of fresh) path.skipped = () => this.#skipped.add(path);
    return paths;
  }
}
