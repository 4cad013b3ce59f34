/**
 * The database's time, for processes that share a database. Due, blocked and expiry times are compared in SQL and in processes,
 * and must be the same everywhere. A wrong wall clock on one machine changes nothing.
 *
 * Owns the offset between the database's clock and this process's monotonic clock. Every answer gives bounds for the offset,
 * which changes only as far as they require, so that slow answers do not make it jump. After a step back of the database's
 * clock, `onSetBack` is called with the difference until it succeeds: otherwise due mail would wait for that time to come
 * again.
 */
import type { Clock } from '../runtime/clock.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { SharedRun } from '../runtime/single-flight.ts';
import { type Sql, sql } from './sql.ts';

interface DatabaseClockOptions {
  readonly db: Pick<Sql, 'one'>;
  readonly log: Log;
  readonly onSetBack: (byMs: number) => Promise<void>;
  readonly steadyMs?: () => number;
}

const CHECK_INTERVAL_MS = 2_000;
/** A smaller difference is drift, which the offset corrects. */
const SET_BACK_MS = 1_000;

export const selectNow = sql<{ now_ms: number }>(
  'clock.now',
  'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms',
  { home: 'either' },
);

export class DatabaseClock implements Clock, Service {
  readonly name = 'database clock';
  readonly #options: DatabaseClockOptions;
  readonly #steadyMs: () => number;
  #aheadMs: number | null = null;
  #setBackMs = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #looking = new SharedRun(() =>
    this.look().catch((error: unknown) =>
      this.#options.log.debug({ err: error }, 'cannot read the database’s clock'),
    ),
  );

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
    this.#steadyMs = options.steadyMs ?? (() => performance.now());
  }

  nowMs(): number {
    if (this.#aheadMs === null) throw new Error('The database was not asked for the time yet.');
    return Math.floor(this.#steadyMs() + this.#aheadMs);
  }

  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => void this.#looking.run(), CHECK_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking.settled();
  }

  async look(): Promise<void> {
    const askedMs = this.#steadyMs();
    const { now_ms: nowMs } = await this.#options.db.one(selectNow);
    const [least, most] = [nowMs - this.#steadyMs(), nowMs - askedMs];
    const before = this.#aheadMs ?? most;
    this.#aheadMs = Math.min(Math.max(before, least), most);
    if (before - most > SET_BACK_MS) this.#setBackMs += before - most;
    if (this.#setBackMs > 0) await this.#reportSetBack();
  }

  async #reportSetBack(): Promise<void> {
    const byMs = this.#setBackMs;
    await this.#options.onSetBack(byMs);
    this.#setBackMs -= byMs;
    const seconds = Math.round(byMs / 1_000);
    this.#options.log.warn({ seconds }, 'the database’s clock was set back; due deliveries stay due');
  }
}
