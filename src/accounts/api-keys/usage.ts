/**
 * Records when each key was used and writes the times later: never during a request, all keys in one statement, each
 * key at most once a minute. `last_used_at` is therefore accurate to the minute, and a few seconds late for a key
 * that was idle. Failed writes are retried in the next round.
 *
 * A key is `noted` (used, not yet written), then `written` (kept for a minute to suppress further writes), then
 * dropped.
 */
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { Rounds } from '../../runtime/work-loop/rounds.ts';
import { type ApiKeyRow, type KeyUse, recordUses } from './store.ts';

export const USE_RESOLUTION_MS = MINUTE_MS;
/** Above this number of active keys, some are written more than once a minute. */
const MAX_WRITTEN = 10_000;
const FLUSH_EVERY_MS = 2_000;

export class KeyUsage implements Service {
  readonly name = 'api key usage';
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #noted = new Map<string, KeyUse>();
  readonly #written: TtlCache<true>;
  readonly #rounds = new Rounds(() => this.#writeDue(), FLUSH_EVERY_MS);

  constructor(db: Sql, clock: Clock, log: Log) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#written = new TtlCache({ keepMs: USE_RESOLUTION_MS, max: MAX_WRITTEN, clock });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  note({ organization_id: organizationId, id }: Pick<ApiKeyRow, 'organization_id' | 'id'>): void {
    this.#noted.set(id, { organizationId, id, atMs: this.#clock.nowMs() });
  }

  /** Writes pending times. Never rejects. */
  flush(): Promise<void> {
    return this.#rounds.now();
  }

  async #writeDue(): Promise<void> {
    const due = [...this.#noted.values()].filter(({ id }) => !this.#written.get(id));
    if (due.length === 0) return;
    for (const { id } of due) this.#noted.delete(id);
    try {
      await recordUses(this.#db, due);
      for (const { id, atMs } of due) this.#written.set(id, true, atMs);
    } catch (error) {
      for (const use of due) if (!this.#noted.has(use.id)) this.#noted.set(use.id, use);
      this.#log.warn({ err: error }, 'could not record when API keys were last used; will try again');
    }
  }
}
