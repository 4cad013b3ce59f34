/**
 * A standby for lists, statistics and events: it shows every commit that any process answered before the read.
 *
 * A reader first queries the primary's WAL position, which lies behind every commit answered before. The standby is read once
 * it has replayed up to that position. If it is late, down or fails, the primary is read instead, and the standby is skipped
 * for a moment. This module owns that pause.
 */
import type { Log } from '../runtime/log.ts';
import type { Database } from './database.ts';
import { type Sql, sql } from './sql.ts';

interface ReplicaOptions {
  readonly primary: Sql;
  readonly standby: Pick<Database, 'reading'>;
  readonly log: Log;
  readonly steadyMs?: () => number;
}

/** How long a reader waits for the standby before it reads the primary. */
const CATCH_UP_MS = 200;
export const REST_MS = 1_000;
const CHECK_EVERY_MS = 5_000;
const CHECK_WITHIN_MS = 2_000;

interface Written {
  readonly position: string;
  readonly system: string;
}

/** Answered commits are flushed. */
const selectWritten = sql<Written>(
  'replica.written',
  `SELECT pg_current_wal_flush_lsn()::text AS position, system_identifier::text AS system FROM pg_control_system()`,
  { home: 'either' },
);

const selectReplayed = sql<{ position: string | null }>(
  'replica.replayed',
  'SELECT pg_last_wal_replay_lsn()::text AS position',
  { home: 'either' },
);

export class Replica {
  readonly #options: ReplicaOptions;
  readonly #steadyMs: () => number;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #checkAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#steadyMs = options.steadyMs ?? (() => performance.now());
  }

  get standby(): ReplicaOptions['standby'] {
    return this.#options.standby;
  }

  /** The statement that the standby runs before a read; null to read the primary. */
  async beforeReading(): Promise<string | null> {
    if (this.#steadyMs() < this.#restUntilMs) return null;
    try {
      if (this.#steadyMs() >= this.#checkAtMs) await this.#check();
      const { position, system } = await this.#options.primary.one(selectWritten);
      return `SELECT await_replay('${position}', ${system}, ${CATCH_UP_MS})`;
    } catch (error) {
      this.rest(error);
      return null;
    }
  }

  /** The standby was late, or failed. */
  rest(error: unknown): void {
    this.#options.log.debug({ err: error }, 'the standby cannot be read; reading from the primary');
    this.#restUntilMs = this.#steadyMs() + REST_MS;
  }

  /**
   * A standby is never ahead of the primary. One that is ahead was a primary itself and came back without discarding its own
   * changes: its positions have another meaning.
   */
  async #check(): Promise<void> {
    const { primary, standby } = this.#options;
    const replayed = await standby.reading(CHECK_WITHIN_MS).one(selectReplayed);
    const written = await primary.one(selectWritten);
    if (bytesOf(replayed.position ?? '0/0') > bytesOf(written.position))
      throw new Error('The standby has more than the primary: it does not follow it.');
    this.#checkAtMs = this.#steadyMs() + CHECK_EVERY_MS;
  }
}

/** PostgreSQL writes a WAL position as two hexadecimal numbers. */
function bytesOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
