/**
 * The keys that mail is signed with, by organization and sender domain.
 *
 * It owns a bounded cache of opened keys, least recently used out first. An entry is asked for again after
 * KEEP_MS, so that a domain that is deleted and registered anew gets its new key; the key object stays the same
 * as long as the domain does. Domains that are not there are not remembered, and neither are failures.
 */
import type { KeyObject } from 'node:crypto';
import { type Sql, sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { DomainKeys } from './domain-keys.ts';
import { domainOwner } from './lender.ts';
import { findByName } from './store.ts';

export interface SigningKey {
  readonly selector: string;
  readonly key: KeyObject;
}

interface SealedKey {
  readonly id: string;
  readonly selector: string;
  readonly private_key: Buffer | null;
}

interface Entry {
  readonly found: Promise<(SigningKey & { readonly id: string }) | null>;
  readonly untilMs: number;
}

const selectSealed = sql<SealedKey>(
  'domains.sealed_key',
  'SELECT id, selector, private_key FROM domains WHERE organization_id = $1 AND domain = $2',
);

const KEEP_MS = 30_000;
const MAX_ENTRIES = 2_000;

export class DomainSigningKeys {
  readonly #db: Sql;
  readonly #keys: DomainKeys;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(deps: { readonly db: Sql; readonly keys: DomainKeys; readonly clock: Clock }) {
    this.#db = deps.db;
    this.#keys = deps.keys;
    this.#clock = deps.clock;
  }

  /** Null when the organization has no such domain. A key that does not open is an error. */
  find(organizationId: string, domain: string): Promise<SigningKey | null> {
    const name = `${organizationId} ${domain}`;
    const known = this.#entries.get(name);
    this.#entries.delete(name);
    if (known !== undefined && this.#clock.nowMs() < known.untilMs) {
      this.#entries.set(name, known);
      return known.found;
    }
    return this.#load(name, organizationId, domain, known);
  }

  #load(name: string, organizationId: string, domain: string, before: Entry | undefined): Entry['found'] {
    const found = this.#read(organizationId, domain, before);
    const entry = { found, untilMs: this.#clock.nowMs() + KEEP_MS };
    this.#entries.set(name, entry);
    if (this.#entries.size > MAX_ENTRIES) {
      this.#entries.delete(this.#entries.keys().next().value as string);
    }
    const forget = () => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    };
    found.then((key) => {
      if (key === null) forget();
    }, forget);
    return found;
  }

  async #read(organizationId: string, domain: string, before: Entry | undefined): Entry['found'] {
    const sealed = await this.#sealed(organizationId, domain);
    if (sealed === undefined || sealed.private_key === null) return null;
    const { id, selector } = sealed;
    const earlier = await before?.found.catch(() => null);
    return earlier?.id === id ? earlier : { id, selector, key: this.#keys.box.open(id, sealed.private_key) };
  }

  async #sealed(sender: string, domain: string): Promise<SealedKey | undefined> {
    const organizationId = await domainOwner(this.#db, sender);
    const sealed = await this.#db.maybeOne(selectSealed, [organizationId, domain]);
    if (sealed === undefined || sealed.private_key !== null) return sealed;
    const row = await findByName(this.#db, organizationId, domain);
    if (row !== undefined) await this.#keys.ensure(this.#db, row);
    return this.#db.maybeOne(selectSealed, [organizationId, domain]);
  }
}
