/**
 * Limits the messages that wait to be read.
 *
 * It owns a count of waiting messages: those in the table at the last check, plus those accepted since. The table is checked at
 * most once a second, in the background while messages arrive, and synchronously before a message is refused. Other processes
 * accept messages between two checks, too, so the caps hold to within a second of mail.
 */
import type { Sql } from '../database/sql.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { Turns } from '../runtime/turns.ts';
import { type CapsByKind, Tally, WAITING_CAPS, type WaitingCount } from './caps.ts';
import { countWaiting } from './store.ts';

export interface RoomOptions {
  readonly db: Sql;
  /** A monotonic clock; tests pass another. */
  readonly steady?: Clock;
  readonly log: Log;
  readonly caps?: CapsByKind | undefined;
}

const CHECK_INTERVAL_MS = 1_000;

export class InboundBacklogLimit {
  readonly #options: RoomOptions;
  readonly #caps: CapsByKind;
  readonly #steady: Clock;
  #tally = new Tally();
  /** Accepted, and perhaps not yet in the table. */
  readonly #underWay = new Set<WaitingCount>();
  #lookedMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#caps = options.caps ?? WAITING_CAPS;
    this.#steady = options.steady ?? steadyClock;
  }

  /** Stores a message if there is backlog. */
  async store<T>(one: WaitingCount, store: () => Promise<T>): Promise<T | 'full'> {
    if (!(await this.#hasDiskSpace(one))) return 'full';
    this.#tally.add(one, this.#caps);
    this.#underWay.add(one);
    try {
      return await store();
    } finally {
      this.#underWay.delete(one);
    }
  }

  async #hasDiskSpace(one: WaitingCount): Promise<boolean> {
    if (this.#steady.nowMs() - this.#lookedMs >= CHECK_INTERVAL_MS) {
      const looked = this.#look();
      if (!this.#tally.fits(one, this.#caps)) await looked;
    }
    return this.#tally.fits(one, this.#caps);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#count().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #count(): Promise<void> {
    const { db, log } = this.#options;
    // Messages that are in progress when the check begins or ends: a few count twice until the next check.
    const before = [...this.#underWay];
    try {
      const tally = new Tally();
      const waiting = await countWaiting(db);
      const turns = new Turns();
      for (const one of waiting) {
        tally.add(one, this.#caps);
        if (turns.isOver) await turns.next();
      }
      for (const one of new Set([...before, ...this.#underWay])) tally.add(one, this.#caps);
      this.#tally = tally;
      this.#lookedMs = this.#steady.nowMs();
    } catch (error) {
      log.warn({ err: error }, 'cannot count the inbound messages that wait');
    }
  }
}
