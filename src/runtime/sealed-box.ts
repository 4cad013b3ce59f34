/**
 * Secrets at rest: AES-256-GCM under a key derived from one of the installation's master keys, whose id stands in front.
 * What the secret belongs to (the id of its row) is authenticated with it, so one that was moved to another row does not
 * open.
 *
 *   1 byte format (2), 8 bytes key id, 12 bytes iv, cipher text, 16 bytes tag
 *
 * Format 1 is from the days of one key and has no id: whichever key opens it is the one.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import { KEY_ID_BYTES, type KeyPurpose, type SecretKey } from './secret-key.ts';

const WITHOUT_ID = 1;
const WITH_ID = 2;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** How every value begins that was sealed with this key. */
export function sealedPrefix(keyId: string): Buffer {
  return Buffer.concat([Buffer.of(WITH_ID), Buffer.from(keyId, 'hex')]);
}

export class SealedBox {
  readonly #ring: KeyRing;
  readonly #purpose: KeyPurpose;
  readonly #what: string;

  /** `what` names the secret in the error: `DKIM key`. */
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

  /** What goes wrong inside is not told: only that it does not open, and what that usually means. */
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
