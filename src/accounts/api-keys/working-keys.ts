/**
 * Whether an API key still works when mail is accepted. The key was looked up when the request began: its body, and the files that it
 * links to, may have arrived minutes later. Asks at most about once a second per key.
 */
import type { Sql } from '../../database/sql.ts';
import { type Clock, steadyClock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { revokedAmong } from './store.ts';

/** As long as keys are remembered for authentication. */
const TTL_MS = 800;
const MAX_KEYS = 10_000;

const REVOKED = 'The API key was revoked while the request was under way. Nothing was accepted.';

export class WorkingKeys {
  readonly #db: Sql;
  readonly #clock: Clock;
  /** Until it is answered, the question itself, so that many requests with one key wait for one query. */
  readonly #known: TtlCache<true | Promise<void>>;

  constructor(db: Sql, clock: Clock = steadyClock) {
    this.#db = db;
    this.#clock = clock;
    this.#known = new TtlCache({ keepMs: TTL_MS, max: MAX_KEYS, clock });
  }

  /** Throws where it was revoked. */
  check(keyId: string): void | Promise<void> {
    const known = this.#known.get(keyId);
    if (known === true) return undefined;
    if (known !== undefined) return known;
    const askedMs = this.#clock.nowMs();
    const asking = this.#ask(keyId, askedMs);
    this.#known.set(keyId, asking, askedMs);
    return asking;
  }

  async #ask(keyId: string, askedMs: number): Promise<void> {
    try {
      if ((await revokedAmong(this.#db, [keyId])).size > 0) throw new ServiceError('UNAUTHORIZED', REVOKED);
      this.#known.set(keyId, true, askedMs);
    } catch (error) {
      this.#known.delete(keyId);
      throw error;
    }
  }
}
