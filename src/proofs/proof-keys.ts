/** The keys that proofs are signed with: one for each secret key of the installation, made from it, so none has to be kept. */
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

  /** Of all that a proof may have been signed with, the current one first. */
  publicKeys(): string[] {
    return this.#derived.all().map((seed) => proofKeyOf(seed).publicKey);
  }
}
