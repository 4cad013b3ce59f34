/**
 * Tracking settings of sending domains, which override the organization's. Read for every mail, so they are cached
 * briefly per organization.
 */

import type { Sql } from '../../database/sql.ts';
import type { MailDomain } from '../../protocols/message/address.ts';
import type { Clock } from '../../runtime/clock.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { type TrackingOfDomain, trackingDefaults } from './store.ts';

type OfOrganization = ReadonlyMap<string, TrackingOfDomain>;

const KEEP_MS = 1_000;
const MAX_ORGANIZATIONS = 10_000;

export class DomainTracking {
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #remembered: TtlCache<OfOrganization>;

  constructor(db: Sql, clock: Clock, keepMs = KEEP_MS) {
    this.#db = db;
    this.#clock = clock;
    this.#remembered = new TtlCache({ keepMs, max: MAX_ORGANIZATIONS, clock });
  }

  async of(organizationId: string, domain: MailDomain): Promise<TrackingOfDomain | undefined> {
    const known = this.#remembered.get(organizationId) ?? (await this.#ask(organizationId));
    return known.get(domain);
  }

  /** Makes a change take effect in this process at once. */
  forget(organizationId: string): void {
    this.#remembered.delete(organizationId);
  }

  async #ask(organizationId: string): Promise<OfOrganization> {
    const askedMs = this.#clock.nowMs();
    const rows = await trackingDefaults(this.#db, organizationId);
    const found = new Map(rows.map(({ domain, ...rest }) => [domain, rest]));
    this.#remembered.set(organizationId, found, askedMs);
    return found;
  }
}
