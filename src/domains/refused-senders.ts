/**
 * When a receiver refuses mail as unauthenticated, the sender domain's DNS records may be broken, so a check is
 * scheduled at once. The table limits how often (check-store.ts); this cache keeps a flood of refusals from becoming
 * a flood of statements.
 *
 * Owns the recently noted domains and evicts the oldest first.
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
  /** Called when a check was scheduled, possibly for now. */
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

  /** Resolves when the check is scheduled. Never rejects, so that delivery is not affected. */
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
