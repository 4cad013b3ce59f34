/**
 * Checks when mail is accepted that its API key was not revoked since the request began: the body, and the files that it links to,
 * may arrive minutes after authentication. Queries the database at most once per key and 800 ms.
 */
import type { Sql } from '../../database/sql.ts';
import { type Clock, steadyClock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { revokedAmong } from './store.ts';

/** The same as the cache of authentication. */
const TTL_MS = 800;
const MAX_KEYS = 10_000;

const REVOKED =
  'The API key was revoked during the request. Nothing was accepted. Send the request again with another key.';

export class WorkingKeys {
  readonly #db: Sql;
  readonly #clock: Clock;
  /** `true` for a key that works. A promise while the query runs, so that concurrent requests with one key share it. */
  readonly #known: TtlCache<true | Promise<void>>;

  constructor(db: Sql, clock: Clock = steadyClock) {
    this.#db = db;
    this.#clock = clock;
    this.#known = new TtlCache({ keepMs: TTL_MS, max: MAX_KEYS, clock });
  }

  /** Throws, or rejects, if the key was revoked. */
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
