/**
 * What is left of an address that was erased: a keyed hash, of the organization and the address. Whoever has the database
 * alone cannot try addresses against it. The key is made with the first erasure, stays the same forever, and is kept
 * sealed (`data_keys`), so that a change of the master key does not change the hashes.
 *
 * It owns the opened key. A process asks for it until there is one.
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

  /** Looks whether there is a key by now. */
  async refresh(): Promise<void> {
    if (this.#key !== null) return;
    const row = await this.#db.maybeOne(select, [NAME]);
    if (row !== undefined) this.#key = this.#box.open(NAME, row.sealed);
  }

  /** Makes the key where there is none yet. */
  async ensure(nowMs: number): Promise<void> {
    await this.refresh();
    if (this.#key !== null) return;
    const made = await this.#db.exec(insert, [NAME, this.#box.seal(NAME, randomBytes(KEY_BYTES))]);
    await this.refresh();
    if (made > 0) this.#madeAtMs = nowMs;
  }

  /** How long ago this process made the key; forever ago when another one did. */
  ageMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#madeAtMs);
  }

  /** What stands for the address in the suppression list; null while nothing was ever erased. */
  keyOf(address: AddressOf): ErasedKey | null {
    return this.#key === null ? null : this.entryOf(address).key;
  }

  /** What is shown in its place: looks like an address, and is nobody's. */
  shownAs(address: AddressOf): EmailAddress {
    return this.entryOf(address).email;
  }

  entryOf({ organizationId, key }: AddressOf): ErasedEntry {
    if (this.#key === null) throw new Error('The key of erased addresses is not there yet.');
    return erasedEntry(createHmac('sha256', this.#key).update(`${organizationId} ${key}`).digest('hex'));
  }
}
