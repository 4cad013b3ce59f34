/**
 * Counts the use of each key in memory and writes all counts in one statement every few seconds, never during a
 * request. A killed process loses the counts since its last write; they are statistics, not billing data. Counting
 * continues while the database is unavailable.
 *
 * Owns the unwritten counts, one per key used since the last write. Only existing keys are counted, so the size is
 * bounded.
 */
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { Rounds } from '../../runtime/work-loop/rounds.ts';
import { addKeyCounts, type KeyCount } from './usage.ts';

const FLUSH_EVERY_MS = 3_000;

type Counted = Partial<Pick<KeyCount, 'requests' | 'refused' | 'emails'>>;
type Waiting = { -readonly [name in keyof KeyCount]: KeyCount[name] };

export class KeyCounts implements Service {
  readonly name = 'api key counts';
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #log: Log;
  #waiting = new Map<string, Waiting>();
  readonly #rounds = new Rounds(() => this.#write(), FLUSH_EVERY_MS);

  constructor(db: Sql, clock: Clock, log: Log) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  readonly count = (organizationId: string, keyId: string, counted: Counted): void => {
    const { requests = 0, refused = 0, emails = 0 } = counted;
    const one = this.#waiting.get(keyId);
    if (one === undefined) {
      const day = new Date(this.#clock.nowMs()).toISOString().slice(0, 10);
      this.#waiting.set(keyId, { organizationId, keyId, day, requests, refused, emails });
      return;
    }
    one.requests += requests;
    one.refused += refused;
    one.emails += emails;
  };

  /** Never rejects. */
  flush(): Promise<void> {
    return this.#rounds.now();
  }

  async #write(): Promise<void> {
    const counts = [...this.#waiting.values()];
    if (counts.length === 0) return;
    this.#waiting = new Map();
    try {
      await addKeyCounts(this.#db, counts);
    } catch (error) {
      for (const { organizationId, keyId, ...counted } of counts) this.count(organizationId, keyId, counted);
      this.#log.warn({ err: error }, 'could not record what API keys were used for; will try again');
    }
  }
}
