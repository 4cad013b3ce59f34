/**
 * One master key of the installation. Everything signed or encrypted at rest uses a key derived from it for
 * one purpose. Its id names it in encrypted values and in the database, and reveals nothing about the key.
 */
import { hkdfSync } from 'node:crypto';

export type KeyPurpose =
  | 'return-path'
  | 'dkim-keys'
  | 'tracking'
  | 'report-addresses'
  | 'reply-addresses'
  | 'download-links'
  | 'webhook-secrets'
  | 'totp-secrets'
  | 'set-up'
  | 'known-devices'
  | 'sign-in-attempts'
  | 'data-keys'
  | 'relay-passwords'
  | 'proofs'
  | 'certificate-keys'
  | 'acme-accounts';

const DERIVED_BYTES = 32;
export const KEY_ID_BYTES = 8;

export class SecretKey {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly #master: Buffer;
  readonly #derived = new Map<KeyPurpose, Buffer>();

  constructor(master: Buffer) {
    this.#master = master;
    this.id = this.#expand('key id', KEY_ID_BYTES).toString('hex');
  }

  derive(purpose: KeyPurpose): Buffer {
    const known = this.#derived.get(purpose);
    if (known !== undefined) return known;
    const derived = this.#expand(purpose, DERIVED_BYTES);
    this.#derived.set(purpose, derived);
    return derived;
  }

  #expand(label: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, '', `postrider ${label}`, bytes));
  }
}
