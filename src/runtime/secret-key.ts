/**
 * One master key of the installation. Everything that is signed or encrypted at rest uses a key derived from it for
 * that one purpose. Its id names it in sealed values and in the database without giving anything of it away.
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
