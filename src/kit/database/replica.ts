/**
 * A standby for what may be some seconds old: how old that is, and for whom it will do.
 *
 * Every half second the primary is asked how far it has written its log, and the standby how far it has replayed it. A
 * standby that has replayed up to a position holds everything that was answered before that position was asked for, by
 * whichever process. That moment is what this owns (`#completeAtMs`): what is shown is never older than MAX_AGE_MS, or
 * it is not read here. An organization that has written since, through this process, is not sent here either, so that
 * whoever has just sent finds it in the list.
 */
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Database } from './database.ts';
import { type Sql, sql } from './sql.ts';

export interface ReplicaOptions {
  readonly primary: Sql;
  readonly standby: Pick<Database, 'reading'>;
  readonly log: Log;
  readonly steadyMs?: () => number;
}

export const MAX_AGE_MS = 5_000;
const LOOK_EVERY_MS = 500;
const LOOK_WITHIN_MS = 2_000;

/** Commits that were answered are flushed. */
const selectWritten = sql<{ position: string; system: string }>(
  'replica.written',
  `SELECT pg_current_wal_flush_lsn()::text AS position, system_identifier::text AS system FROM pg_control_system()`,
);

/** Null where it is no standby. `system`: of the primary whose files it began with. */
const selectReplayed = sql<{ position: string | null; system: string }>(
  'replica.replayed',
  `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END AS position,
          system_identifier::text AS system
   FROM pg_control_system()`,
);

interface Position {
  readonly askedAtMs: number;
  readonly written: bigint;
}

export class Replica implements Service {
  readonly name = 'replica';
  readonly #options: ReplicaOptions;
  readonly #steadyMs: () => number;
  /** What the standby has not replayed yet, in order. */
  #ahead: Position[] = [];
  #completeAtMs = Number.NEGATIVE_INFINITY;
  /** When organizations wrote, as long as that may not be on the standby. */
  readonly #wroteAtMs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#steadyMs = options.steadyMs ?? (() => performance.now());
  }

  async start(): Promise<void> {
    this.#schedule(0);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** Through this process, and it is answered after this. */
  wrote(organizationId: string): void {
    this.#wroteAtMs.set(organizationId, this.#steadyMs());
  }

  /** Where this organization may be shown what the standby has; null where it must read on the primary. */
  standbyFor(organizationId: string): ReplicaOptions['standby'] | null {
    const isFresh = this.#steadyMs() - this.#completeAtMs <= MAX_AGE_MS;
    const wroteAtMs = this.#wroteAtMs.get(organizationId) ?? Number.NEGATIVE_INFINITY;
    return isFresh && wroteAtMs < this.#completeAtMs ? this.#options.standby : null;
  }

  /** Something went wrong there: it is not used again before it was looked at. */
  distrust(error: unknown): void {
    this.#options.log.debug({ err: error }, 'the standby cannot be read from, the primary is');
    this.#completeAtMs = Number.NEGATIVE_INFINITY;
  }

  async look(): Promise<void> {
    const { primary, standby } = this.#options;
    const askedAtMs = this.#steadyMs();
    const written = await primary.one(selectWritten);
    this.#ahead.push({ askedAtMs, written: bigOf(written.position) });
    const { position, system } = await standby.reading(LOOK_WITHIN_MS).one(selectReplayed);
    const replayed = position === null || system !== written.system ? -1n : bigOf(position);
    this.#completeAtMs =
      this.#ahead.findLast((one) => one.written <= replayed)?.askedAtMs ?? this.#completeAtMs;
    this.#forget();
  }

  #forget(): void {
    const tooOldMs = Math.max(this.#completeAtMs, this.#steadyMs() - MAX_AGE_MS);
    this.#ahead = this.#ahead.filter(({ askedAtMs }) => askedAtMs > tooOldMs);
    for (const [organizationId, atMs] of this.#wroteAtMs)
      if (atMs < tooOldMs) this.#wroteAtMs.delete(organizationId);
  }

  #schedule(afterMs: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.look()
        .catch((error: unknown) =>
          this.#options.log.debug({ err: error }, 'cannot look how old the standby is'),
        )
        .finally(() => {
          this.#forget();
          if (this.#timer !== undefined) this.#schedule(LOOK_EVERY_MS);
        });
    }, afterMs);
  }
}

/** PostgreSQL writes a position of its log as two hexadecimal numbers. */
function bigOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
