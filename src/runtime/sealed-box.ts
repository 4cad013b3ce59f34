/**
 * Secrets at rest: AES-256-GCM under a key derived from one of the installation's master keys, whose id is in
 * the value. The id of the secret's owner (its row) is authenticated as well, so a value moved to another row
 * cannot be decrypted.
 *
 * 1 byte format (2), 8 bytes key id, 12 bytes iv, cipher text, 16 bytes tag
 *
 * Format 1 predates key rotation and has no id, so every key is tried.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import { KEY_ID_BYTES, type KeyPurpose, type SecretKey } from './secret-key.ts';

const WITHOUT_ID = 1;
const WITH_ID = 2;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The first bytes of every value encrypted with this key. */
export function sealedPrefix(keyId: string): Buffer {
  return Buffer.concat([Buffer.of(WITH_ID), Buffer.from(keyId, 'hex')]);
}

export class SealedBox {
  readonly #ring: KeyRing;
  readonly #purpose: KeyPurpose;
  readonly #what: string;

  /** `what` names the secret in errors: `DKIM key`. */
  constructor(ring: KeyRing, purpose: KeyPurpose, what: string) {
    this.#ring = ring;
    this.#purpose = purpose;
    this.#what = what;
  }

  seal(ownerId: string, secret: Buffer): Buffer {
    return this.sealWith(this.#ring.current, ownerId, secret);
  }

  sealWith(key: SecretKey, ownerId: string, secret: Buffer): Buffer {
    const head = sealedPrefix(key.id);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.derive(this.#purpose), iv).setAAD(
      Buffer.concat([head, Buffer.from(ownerId)]),
    );
    return Buffer.concat([head, iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** Errors reveal no detail: only that decryption failed, and the usual cause. */
  open(ownerId: string, sealed: Buffer): Buffer {
    const opened = sealed[0] === WITH_ID ? this.#openWithId(ownerId, sealed) : this.#openOld(ownerId, sealed);
    if (opened !== null) return opened;
    throw new Error(
      `The ${this.#what} of ${ownerId} does not open: POSTRIDER_SECRET_KEY (or the secret-key file in the data folder) is not the one it was sealed with.`,
    );
  }

  #openWithId(ownerId: string, sealed: Buffer): Buffer | null {
    const head = sealed.subarray(0, 1 + KEY_ID_BYTES);
    const key = this.#ring.find(head.toString('hex', 1));
    if (key === undefined) return null;
    const associated = Buffer.concat([head, Buffer.from(ownerId)]);
    return decrypt(key.derive(this.#purpose), associated, sealed.subarray(head.length));
  }

  #openOld(ownerId: string, sealed: Buffer): Buffer | null {
    if (sealed[0] !== WITHOUT_ID) return null;
    for (const key of this.#ring.keys) {
      const opened = decrypt(key.derive(this.#purpose), Buffer.from(ownerId), sealed.subarray(1));
      if (opened !== null) return opened;
    }
    return null;
  }
}

function decrypt(key: Buffer, associated: Buffer, body: Buffer): Buffer | null {
  if (body.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const iv = body.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(associated)
      .setAuthTag(body.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
