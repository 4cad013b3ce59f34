/** The keys that sign proofs, derived from the installation's secret keys, so that none is stored. */
import type { DerivedKeys, KeyRing } from '../runtime/key-ring.ts';
import { type ProofKey, proofKeyOf } from './chain.ts';

export class ProofKeys {
  readonly #derived: DerivedKeys;

  constructor(ring: Pick<KeyRing, 'keysFor'>) {
    this.#derived = ring.keysFor('proofs');
  }

  at(ms: number): ProofKey {
    return proofKeyOf(this.#derived.at(ms));
  }

  /** All keys that may have signed a proof, the current one first. */
  publicKeys(): string[] {
    return this.#derived.all().map((seed) => proofKeyOf(seed).publicKey);
  }
}
