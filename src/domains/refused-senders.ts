/**
 * Receivers that refuse mail for want of authentication see a domain's records before our own checks do: then its DNS is
 * asked at once. How often that may be is the table's business (store.ts); here only a flood of refusals is kept from
 * becoming a flood of statements.
 *
 * It owns which domains were noted lately, the oldest out first.
 */
import type { Database } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { TtlCache } from '../runtime/ttl-cache.ts';
import { checkSoon } from './check-store.ts';
import { domainOwnerOf } from './domain-owner.ts';

export interface RefusedSendersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** A check is due, perhaps now. */
  readonly onDue: () => void;
}

const QUIET_MS = 30_000;
const MAX_NOTED = 5_000;

export class RefusedSenders {
  readonly #deps: RefusedSendersDeps;
  readonly #noted: TtlCache<true>;

  constructor(deps: RefusedSendersDeps) {
    this.#deps = deps;
    this.#noted = new TtlCache({ keepMs: QUIET_MS, max: MAX_NOTED, clock: deps.clock });
  }

  /** Resolves when the check is due; never fails, because mail must not wait for it. */
  async note(organizationId: string, domain: string): Promise<void> {
    const { db, clock, log, onDue } = this.#deps;
    const key = `${organizationId} ${domain}`;
    if (this.#noted.get(key)) return;
    this.#noted.set(key, true);
    try {
      await checkSoon(db, await domainOwnerOf(db, organizationId), domain, clock.nowMs());
      onDue();
    } catch (error) {
      log.warn({ err: error, domain }, 'could not have the DNS records of a refused sender checked');
    }
  }
}
