/**
 * The DKIM keys for signing mail, by organization and sender domain.
 *
 * Owns a bounded cache of decrypted keys, evicting the least recently used first. Entries are read again after
 * KEEP_MS, so that a domain that is deleted and registered anew gets its new key. The key object stays the same as
 * long as the domain exists. Missing domains and failures are not cached.
 */

import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Sql, sql } from '../database/sql.ts';
import type { MailDomain } from '../protocols/message/address.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { SealedBox } from '../runtime/sealed-box.ts';
import type { KeyPairs } from './key-pairs.ts';
import { domainOwnerOf } from './senders.ts';
import { type DomainRow, findByName, findDomain, setKey } from './store.ts';

export interface SigningKey {
  readonly selector: string;
  /** The same object at every lookup, so that callers can key caches by it. */
  readonly key: KeyObject;
}

interface SealedKeys {
  readonly id: string;
  readonly selector: string;
  readonly private_key: Buffer | null;
  readonly old_selector: string | null;
  readonly old_private_key: Buffer | null;
  readonly switched_at: Date | null;
}

/** The key of a domain; after a rotation also the previous key, for mail first attempted before `untilMs`. */
interface KeysOfDomain {
  readonly id: string;
  readonly current: SigningKey;
  readonly previous: (SigningKey & { readonly untilMs: number }) | null;
}

interface Entry {
  readonly found: Promise<KeysOfDomain | null>;
  readonly untilMs: number;
}

const selectSealed = sql<SealedKeys>(
  'domains.sealed_key',
  `SELECT d.id, d.selector, d.private_key, r.selector AS old_selector, r.private_key AS old_private_key, r.switched_at
   FROM domains d
   LEFT JOIN dkim_rotations r ON r.organization_id = d.organization_id AND r.domain_id = d.id AND r.status = 'switched'
   WHERE d.organization_id = $1 AND d.domain = $2`,
  { home: 'cell', organization: '$1' },
);

const KEEP_MS = 30_000;
const MAX_ENTRIES = 2_000;

export class DomainSigningKeys {
  readonly #db: Sql;
  readonly #keys: DomainKeys;
  readonly #clock: Clock;
  readonly #entries = new BoundedMap<string, Entry>(MAX_ENTRIES);

  constructor(deps: { readonly db: Sql; readonly keys: DomainKeys; readonly clock: Clock }) {
    this.#db = deps.db;
    this.#keys = deps.keys;
    this.#clock = deps.clock;
  }

  /**
   * Null when the organization has no such domain. A key that cannot be decrypted is an error. Retries are signed
   * with the same key as the first attempt.
   */
  async find(
    organizationId: string,
    domain: MailDomain,
    firstAttemptAtMs = this.#clock.nowMs(),
  ): Promise<SigningKey | null> {
    const keys = await this.#keysOf(organizationId, domain);
    if (keys === null) return null;
    const { current, previous } = keys;
    return previous !== null && firstAttemptAtMs < previous.untilMs ? previous : current;
  }

  #keysOf(organizationId: string, domain: MailDomain): Entry['found'] {
    const name = `${organizationId} ${domain}`;
    const known = this.#entries.use(name);
    if (known !== undefined && this.#clock.nowMs() < known.untilMs) return known.found;
    return this.#load(name, organizationId, domain, known);
  }

  #load(name: string, organizationId: string, domain: MailDomain, before: Entry | undefined): Entry['found'] {
    const found = this.#read(organizationId, domain, before);
    const entry = { found, untilMs: this.#clock.nowMs() + KEEP_MS };
    this.#entries.set(name, entry);
    const forget = () => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    };
    found.then((key) => {
      if (key === null) forget();
    }, forget);
    return found;
  }

  async #read(organizationId: string, domain: MailDomain, before: Entry | undefined): Entry['found'] {
    const sealed = await this.#sealed(organizationId, domain);
    if (sealed === undefined || sealed.private_key === null) return null;
    const earlier = (await before?.found.catch(() => null)) ?? null;
    const open = (selector: string, privateKey: Buffer): SigningKey => {
      const known = [earlier?.current, earlier?.previous].find((one) => one?.selector === selector);
      const key = earlier?.id === sealed.id ? known?.key : undefined;
      return { selector, key: key ?? this.#keys.box.open(sealed.id, privateKey) };
    };
    const { id, old_selector: oldSelector, old_private_key: oldKey, switched_at: switchedAt } = sealed;
    const current = open(sealed.selector, sealed.private_key);
    if (oldSelector === null || oldKey === null || switchedAt === null)
      return { id, current, previous: null };
    return { id, current, previous: { ...open(oldSelector, oldKey), untilMs: switchedAt.getTime() } };
  }

  async #sealed(sender: string, domain: MailDomain): Promise<SealedKeys | undefined> {
    const organizationId = await domainOwnerOf(this.#db, sender);
    const sealed = await this.#db.maybeOne(selectSealed, [organizationId, domain]);
    if (sealed === undefined || sealed.private_key !== null) return sealed;
    const row = await findByName(this.#db, organizationId, domain);
    if (row !== undefined) await this.#keys.ensure(this.#db, row);
    return this.#db.maybeOne(selectSealed, [organizationId, domain]);
  }
}

/** The stored key: the public half in plain, the private half encrypted. */
interface NewDomainKey {
  readonly publicKey: Buffer;
  readonly sealedPrivateKey: Buffer;
}

export type DomainWithKey = DomainRow & { readonly public_key: Buffer };

/**
 * Creates the DKIM keys of domains. Owns the keys in progress, so that concurrent requests do not generate a second
 * key for one domain.
 */
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

/** Encrypts DKIM private keys at rest, bound to their domain. */
export class PrivateKeyBox {
  readonly sealed: SealedBox;

  constructor(ring: KeyRing) {
    this.sealed = new SealedBox(ring, 'dkim-keys', 'DKIM key');
  }

  /** `privateKey` is PKCS#8 in DER. */
  seal(domainId: string, privateKey: Buffer): Buffer {
    return this.sealed.seal(domainId, privateKey);
  }

  open(domainId: string, sealed: Buffer): KeyObject {
    return createPrivateKey({ key: this.sealed.open(domainId, sealed), format: 'der', type: 'pkcs8' });
  }
}
