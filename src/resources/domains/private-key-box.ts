/**
 * DKIM private keys at rest: AES-256-GCM under a key derived from the installation's master key. The id of the
 * domain is authenticated with it, so a key that was moved to another row does not open.
 */
import { createCipheriv, createDecipheriv, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export class PrivateKeyBox {
  readonly #key: Buffer;

  /** 32 bytes: `secretKey.derive('dkim-keys')`. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** `privateKey` is PKCS#8 in DER. */
  seal(domainId: string, privateKey: Buffer): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(domainId));
    return Buffer.concat([
      Buffer.of(FORMAT),
      iv,
      cipher.update(privateKey),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
  }

  open(domainId: string, sealed: Buffer): KeyObject {
    return createPrivateKey({ key: this.#decrypt(domainId, sealed), format: 'der', type: 'pkcs8' });
  }

  /** What goes wrong inside is not told: only that it does not open, and what that usually means. */
  #decrypt(domainId: string, sealed: Buffer): Buffer {
    try {
      if (sealed[0] !== FORMAT) throw new Error('unknown format');
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const tag = sealed.subarray(-TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(domainId))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(1 + IV_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw new Error(
        `The DKIM key of ${domainId} does not open: POSTRIDER_SECRET_KEY (or the secret-key file in the data folder) is not the one it was sealed with.`,
      );
    }
  }
}
