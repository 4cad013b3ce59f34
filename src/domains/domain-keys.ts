/**
 * Creates the DKIM keys of domains. Owns the keys in progress, so that concurrent requests do not generate a second
 * key for one domain.
 */
import type { Sql } from '../database/sql.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { KeyPairs } from './key-pairs.ts';
import { PrivateKeyBox } from './private-key-box.ts';
import { type DomainRow, findDomain, setKey } from './store.ts';

/** The stored key: the public half in plain, the private half encrypted. */
export interface NewDomainKey {
  readonly publicKey: Buffer;
  readonly sealedPrivateKey: Buffer;
}

export type DomainWithKey = DomainRow & { readonly public_key: Buffer };

export class DomainKeys {
  readonly box: PrivateKeyBox;
  readonly #pairs: Pick<KeyPairs, 'take'>;
  readonly #underWay = new Map<string, Promise<DomainWithKey | undefined>>();

  constructor(ring: KeyRing, pairs: Pick<KeyPairs, 'take'>) {
    this.box = new PrivateKeyBox(ring);
    this.#pairs = pairs;
  }

  async make(organizationId: string, domainId: string): Promise<NewDomainKey> {
    const { publicKey, privateKey } = await this.#pairs.take(organizationId);
    const sealedPrivateKey = this.box.seal(domainId, privateKey);
    privateKey.fill(0);
    return { publicKey, sealedPrivateKey };
  }

  /**
   * Returns the domain with a key, creating one if needed: domains that were not registered through the API start
   * without. Of several processes that create a key concurrently, the first one wins.
   */
  async ensure(db: Sql, row: DomainRow): Promise<DomainWithKey | undefined> {
    if (hasKey(row)) return row;
    const known = this.#underWay.get(row.id);
    if (known) return known;
    const giving = this.#give(db, row).finally(() => this.#underWay.delete(row.id));
    this.#underWay.set(row.id, giving);
    return giving;
  }

  async #give(db: Sql, row: DomainRow): Promise<DomainWithKey | undefined> {
    const { organization_id, id } = row;
    const made = await this.make(organization_id, id);
    const after = (await setKey(db, row, made)) ?? (await findDomain(db, organization_id, id));
    return after !== undefined && hasKey(after) ? after : undefined;
  }
}

function hasKey(row: DomainRow): row is DomainWithKey {
  return row.public_key !== null;
}
