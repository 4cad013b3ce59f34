/**
 * Secrets at rest: AES-256-GCM under a key derived from the installation's master key. What the secret belongs to
 * (the id of its row) is authenticated with it, so one that was moved to another row does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export class SealedBox {
  readonly #key: Buffer;
  readonly #what: string;

  /** `key` is 32 bytes, derived for this one purpose; `what` names the secret in the error: `DKIM key`. */
  constructor(key: Buffer, what: string) {
    this.#key = key;
    this.#what = what;
  }

  seal(ownerId: string, secret: Buffer): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(ownerId));
    return Buffer.concat([Buffer.of(FORMAT), iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** What goes wrong inside is not told: only that it does not open, and what that usually means. */
  open(ownerId: string, sealed: Buffer): Buffer {
    try {
      if (sealed[0] !== FORMAT) throw new Error('unknown format');
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const tag = sealed.subarray(-TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(1 + IV_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw new Error(
        `The ${this.#what} of ${ownerId} does not open: POSTRIDER_SECRET_KEY (or the secret-key file in the data folder) is not the one it was sealed with.`,
      );
    }
  }
}
