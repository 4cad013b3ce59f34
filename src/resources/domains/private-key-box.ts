/** DKIM private keys at rest: sealed for the domain they belong to. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SealedBox } from '../../runtime/sealed-box.ts';

export class PrivateKeyBox {
  readonly #box: SealedBox;

  /** 32 bytes: `secretKey.derive('dkim-keys')`. */
  constructor(key: Buffer) {
    this.#box = new SealedBox(key, 'DKIM key');
  }

  /** `privateKey` is PKCS#8 in DER. */
  seal(domainId: string, privateKey: Buffer): Buffer {
    return this.#box.seal(domainId, privateKey);
  }

  open(domainId: string, sealed: Buffer): KeyObject {
    return createPrivateKey({ key: this.#box.open(domainId, sealed), format: 'der', type: 'pkcs8' });
  }
}
