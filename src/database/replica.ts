/**
 * A standby for lists, statistics and events: it shows everything that was answered before it is asked, whichever
 * process answered.
 *
 * Whoever reads asks the primary first how far it has written its log. What was answered before that question lies before
 * that position. The standby reads once it has replayed as much; where it is late, away or fails, the primary is read
 * instead, and the standby is left alone for a moment. That moment is what this owns.
 */
import type { Log } from '../runtime/log.ts';
import type { Database } from './database.ts';
import { type Sql, sql } from './sql.ts';

export interface ReplicaOptions {
  readonly primary: Sql;
  readonly standby: Pick<Database, 'reading'>;
  readonly log: Log;
  readonly steadyMs?: () => number;
}

/** How long a reader waits for the standby before the primary is read. */
export const CATCH_UP_MS = 200;
export const REST_MS = 1_000;
const CHECK_EVERY_MS = 5_000;
const CHECK_WITHIN_MS = 2_000;

interface Written {
  readonly position: string;
  readonly system: string;
}

/** Commits that were answered are flushed. */
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

  /** What the standby has to do before it reads; null where the primary is to be read. */
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

  /** It was late, or something went wrong there. */
  rest(error: unknown): void {
    this.#options.log.debug({ err: error }, 'the standby cannot be read from, the primary is');
    this.#restUntilMs = this.#steadyMs() + REST_MS;
  }

  /**
   * A standby never has more than the primary. One that has was a primary itself, and came back without giving up what it
   * alone had: its positions mean something else.
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

/** PostgreSQL writes a position of its log as two hexadecimal numbers. */
function bytesOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
