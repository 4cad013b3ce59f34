/**
 * Makes the DKIM keys of domains. It owns how many are made at once: each takes a thread of the pool for a good
 * part of a second, and file access and signing need threads too.
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Sql } from '../../database/sql.ts';
import type { KeyRing } from '../../runtime/key-ring.ts';
import { Budget } from '../../work-loop/budget.ts';
import { PrivateKeyBox } from './private-key-box.ts';
import { type DomainRow, findById, setKey } from './store.ts';

/** What is stored: the public half in the open, the private half sealed. */
export interface NewDomainKey {
  readonly publicKey: Buffer;
  readonly sealedPrivateKey: Buffer;
}

export type DomainWithKey = DomainRow & { readonly public_key: Buffer };

const RSA_BITS = 2048;
const AT_ONCE = 2;

const generate = promisify(generateKeyPair);

export class DomainKeys {
  readonly box: PrivateKeyBox;
  readonly #room = new Budget(AT_ONCE);

  constructor(ring: KeyRing) {
    this.box = new PrivateKeyBox(ring);
  }

  async make(domainId: string): Promise<NewDomainKey> {
    const { publicKey, privateKey } = await this.#room.hold(1, () =>
      generate('rsa', {
        modulusLength: RSA_BITS,
        publicKeyEncoding: { type: 'spki', format: 'der' },
        privateKeyEncoding: { type: 'pkcs8', format: 'der' },
      }),
    );
    const sealedPrivateKey = this.box.seal(domainId, privateKey);
    privateKey.fill(0);
    return { publicKey, sealedPrivateKey };
  }

  /**
   * The same domain with a key, made now if it has none: those that were registered by other means than a request
   * come without. Of several processes that make one at the same time, the first one's counts.
   */
  async ensure(db: Sql, row: DomainRow): Promise<DomainWithKey | undefined> {
    if (hasKey(row)) return row;
    const made = await this.make(row.id);
    const after = (await setKey(db, row.id, made)) ?? (await findById(db, row.id));
    return after !== undefined && hasKey(after) ? after : undefined;
  }
}

function hasKey(row: DomainRow): row is DomainWithKey {
  return row.public_key !== null;
}
