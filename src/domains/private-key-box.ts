/** Encrypts DKIM private keys at rest, bound to their domain. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { KeyRing } from '../runtime/key-ring.ts';
import { SealedBox } from '../runtime/sealed-box.ts';

export class PrivateKeyBox {
  readonly sealed: SealedBox;

  constructor(ring: KeyRing) {
    this.sealed = new SealedBox(ring, 'dkim-keys', 'DKIM key');
  }

  /** `privateKey` is PKCS#8 in DER. */
  seal(domainId: string, privateKey: Buffer): Buffer {
    return this.sealed.seal(domainId, privateKey);
  }

  open(domainId: string, sealed: Buffer): KeyObject {
    return createPrivateKey({ key: this.sealed.open(domainId, sealed), format: 'der', type: 'pkcs8' });
  }
}
