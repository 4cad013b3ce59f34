/** Sending domains of one organization. */
import { isUniqueViolation } from '../../database/errors.ts';
import { ApiError } from '../../http/errors.ts';
import { newId } from '../../runtime/ids.ts';
import { type CheckDeps, checkAndRecord } from './check.ts';
import type { DomainWithKey } from './domain-keys.ts';
import { firstCheckAt } from './standing.ts';
import { type DomainRow, deleteDomain, findByName, findDomain, insertDomain, listDomains } from './store.ts';

export class DomainService {
  readonly #deps: CheckDeps;

  constructor(deps: CheckDeps) {
    this.#deps = deps;
  }

  /** The name whose SPF record all domains include. */
  get host(): string {
    return this.#deps.host;
  }

  /** `domain` in canonical form. */
  async register(organizationId: string, domain: string): Promise<DomainWithKey> {
    const { db, clock, keys } = this.#deps;
    // Asked before as well as ensured after: making a key for nothing is expensive.
    if ((await findByName(db, organizationId, domain)) !== undefined) throw alreadyThere(domain);
    const id = newId('dom');
    const key = await keys.make(id);
    const nowMs = clock.nowMs();
    const row = {
      id,
      organization_id: organizationId,
      domain,
      spf_verified: false,
      dkim_verified: false,
      verified_at: null,
      next_check_at: firstCheckAt(nowMs),
      created_at: new Date(nowMs),
      key,
    };
    const stored = await insertDomain(db, row).catch((error) => {
      throw isUniqueViolation(error, 'domains_organization_id_domain_key') ? alreadyThere(domain) : error;
    });
    return { ...stored, public_key: key.publicKey };
  }

  async list(organizationId: string): Promise<DomainWithKey[]> {
    const rows = await listDomains(this.#deps.db, organizationId);
    const withKeys = await Promise.all(rows.map((row) => this.#deps.keys.ensure(this.#deps.db, row)));
    return withKeys.filter((row) => row !== undefined);
  }

  async find(organizationId: string, id: string): Promise<DomainWithKey> {
    const row = await this.#findRow(organizationId, id);
    return orNotFound(await this.#deps.keys.ensure(this.#deps.db, row));
  }

  async verify(organizationId: string, id: string): Promise<DomainWithKey> {
    const row = await this.#findRow(organizationId, id);
    return orNotFound(await checkAndRecord(this.#deps, row, true));
  }

  /** The name it had. */
  async remove(organizationId: string, id: string): Promise<string> {
    return orNotFound(await deleteDomain(this.#deps.db, organizationId, id));
  }

  async #findRow(organizationId: string, id: string): Promise<DomainRow> {
    return orNotFound(await findDomain(this.#deps.db, organizationId, id));
  }
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new ApiError('NOT_FOUND');
  return found;
}

function alreadyThere(domain: string): ApiError {
  const message = `${domain} is already registered in this organization.`;
  return new ApiError('CONFLICT', [{ field: 'domain', message: 'is already registered' }], message);
}
