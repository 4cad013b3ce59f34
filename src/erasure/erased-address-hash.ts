/**
 * Computes the keyed hash of an organization and address that remains after an erasure. Without the key, somebody
 * with the database cannot test addresses against the hash. The key is created with the first erasure, never changes,
 * and is stored encrypted (`data_keys`), so that a new master key does not change the hashes.
 *
 * Owns the decrypted key. A process looks for the key until it exists.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { sealedColumn } from '../database/sealed-column.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { SealedBox } from '../runtime/sealed-box.ts';
import { type ErasedEntry, erasedEntry } from '../suppressions/erased-entry.ts';
import type { AddressOf, ErasedKey } from '../suppressions/suppression.ts';

const NAME = 'erased-addresses';
const KEY_BYTES = 32;

const select = sql<{ sealed: Buffer }>('data_keys.find', 'SELECT sealed FROM data_keys WHERE name = $1', {
  home: 'control',
});
const insert = sql(
  'data_keys.insert',
  'INSERT INTO data_keys (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
  { home: 'control' },
);

export const sealedDataKeys = sealedColumn('data_keys', 'sealed', { idColumn: 'name' });

export function dataKeyBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'data-keys', 'data key');
}

export class ErasedAddresses {
  readonly #db: Sql;
  readonly #box: SealedBox;
  #key: Buffer | null = null;
  #madeAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Sql, ring: KeyRing) {
    this.#db = db;
    this.#box = dataKeyBox(ring);
  }

  /** Loads the key if it exists by now. */
  async refresh(): Promise<void> {
    if (this.#key !== null) return;
    const row = await this.#db.maybeOne(select, [NAME]);
    if (row !== undefined) this.#key = this.#box.open(NAME, row.sealed);
  }

  /** Creates the key if it does not exist. */
  async ensure(nowMs: number): Promise<void> {
    await this.refresh();
    if (this.#key !== null) return;
    const made = await this.#db.exec(insert, [NAME, this.#box.seal(NAME, randomBytes(KEY_BYTES))]);
    await this.refresh();
    if (made > 0) this.#madeAtMs = nowMs;
  }

  /** The time since this process created the key; infinite when another process did. */
  ageMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#madeAtMs);
  }

  /** The hash that replaces the address in the suppression list; null while nothing was ever erased. */
  keyOf(address: AddressOf): ErasedKey | null {
    return this.#key === null ? null : this.entryOf(address).key;
  }

  /** A placeholder shown instead: has the form of an address and belongs to nobody. */
  shownAs(address: AddressOf): EmailAddress {
    return this.entryOf(address).email;
  }

  entryOf({ organizationId, key }: AddressOf): ErasedEntry {
    if (this.#key === null) throw new Error('The key of erased addresses is not there yet.');
    return erasedEntry(createHmac('sha256', this.#key).update(`${organizationId} ${key}`).digest('hex'));
  }
}
