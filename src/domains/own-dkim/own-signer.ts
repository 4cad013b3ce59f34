/**
 * Signs mail for the installation's own domain.
 *
 * Owns the decrypted key and the cached switching times. They are read again after KEEP_MS, which is sooner than a
 * change takes effect. Failures are not cached.
 */
import type { KeyObject } from 'node:crypto';
import type { Sql } from '../../database/sql.ts';
import type { DkimSigner } from '../../protocols/message/dkim.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { KeyRing } from '../../runtime/key-ring.ts';
import { PrivateKeyBox } from '../private-key-box.ts';
import { signedAt } from './publication.ts';
import { findOwnKey } from './store.ts';

interface Known {
  readonly signer: DkimSigner;
  readonly switches: readonly Date[];
}

const KEEP_MS = 30_000;

export class OwnDkimSigner {
  readonly #db: Sql;
  readonly #box: PrivateKeyBox;
  readonly #clock: Clock;
  readonly #domain: string;
  #opened: { readonly selector: string; readonly key: KeyObject } | null = null;
  #known: Promise<Known | null> | null = null;
  #untilMs = 0;

  constructor(deps: {
    readonly db: Sql;
    readonly ring: KeyRing;
    readonly clock: Clock;
    readonly domain: string;
  }) {
    this.#db = deps.db;
    this.#box = new PrivateKeyBox(deps.ring);
    this.#clock = deps.clock;
    this.#domain = deps.domain;
  }

  /** Null when mail with that first attempt is not signed. A key that cannot be decrypted is an error. */
  async find(firstAttemptAtMs: number): Promise<DkimSigner | null> {
    const known = await this.#current();
    return known !== null && signedAt(known.switches, firstAttemptAtMs) ? known.signer : null;
  }

  #current(): Promise<Known | null> {
    const nowMs = this.#clock.nowMs();
    if (this.#known !== null && nowMs < this.#untilMs) return this.#known;
    const reading = this.#read();
    this.#known = reading;
    this.#untilMs = nowMs + KEEP_MS;
    reading.catch(() => {
      if (this.#known === reading) this.#known = null;
    });
    return reading;
  }

  async #read(): Promise<Known | null> {
    const row = await findOwnKey(this.#db, this.#domain);
    // Avoids decrypting the key before it is needed.
    if (row === undefined || row.switches.length === 0) return null;
    const { selector, switches } = row;
    if (this.#opened?.selector !== selector)
      this.#opened = { selector, key: this.#box.open(this.#domain, row.private_key) };
    return { signer: { domain: this.#domain, selector, key: this.#opened.key }, switches };
  }
}
