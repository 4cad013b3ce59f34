/**
 * The way of what was fetched into the database of a cell: requests are answered from memory, what they mean is written in
 * batches.
 *
 * It owns what waits, one of each key: somebody who fetches a pixel a thousand times takes the room of one,
 * and of a machine's and a person's the person's is kept. It also remembers what it recorded within the last
 * minute, so that what cannot become an event costs the database nothing. What was fetched is waiting, then in the one flush that is in
 * flight, then recorded or left out. While the database is away the batch goes back and is tried again; the queue is
 * bounded, and what comes on top of a full one is dropped and counted: it is not worth the memory of the API.
 * States: made, started, stopping (one last flush), stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { concernsOne, isMovedAway, isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { EVERY_MS, type Fetched } from '../emails/opens.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Log } from '../runtime/log.ts';

export interface FetchQueueOptions<Item> {
  readonly db: Database;
  readonly log: Log;
  readonly maxWaiting?: number | undefined;
  readonly onRecorded: (isMachine: boolean) => void;
  readonly onDropped: (count: number) => void;
  /** Whose it is lives in another cell by now, or is on the way there. */
  readonly onMoved: (item: Item) => void;
}

/** What is fetched, and how it is recorded. */
export interface Kind<Item extends Fetched> {
  /** In the plural: `opens`. */
  readonly name: string;
  /** The same for what counts as one. */
  readonly keyOf: (item: Item) => string;
  /** The longest that one waits for others, besides the flush before it. */
  readonly lingerMs: number;
  /** Part of a transaction. Returns those that became events. */
  readonly write: (tx: Sql, items: readonly Item[]) => Promise<readonly Item[]>;
}

/** About 10 MB with long user agents. */
export const MAX_WAITING = 20_000;
const MAX_REMEMBERED = 20_000;
const MAX_BATCH = 500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** How long a stop waits for the last flush. */
const STOP_MS = 2_000;

export class FetchQueue<Item extends Fetched> {
  readonly #kind: Kind<Item>;
  readonly #options: FetchQueueOptions<Item>;
  readonly #waiting = new Map<string, Item>();
  /** Oldest first. */
  readonly #recent = new BoundedMap<string, Item>(MAX_REMEMBERED);
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  readonly #pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #stopped = false;

  constructor(kind: Kind<Item>, options: FetchQueueOptions<Item>) {
    this.#kind = kind;
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Never waits and never throws: whoever asked has been answered already. */
  add(item: Item): void {
    if (this.#stopped) {
      this.#options.onDropped(1);
      return;
    }
    const key = this.#kind.keyOf(item);
    if (isRepetition(item, this.#recent.get(key))) return;
    const known = this.#waiting.get(key);
    if (known && !replaces(item, known)) return;
    if (!known && this.#waiting.size >= (this.#options.maxWaiting ?? MAX_WAITING)) {
      this.#options.onDropped(1);
      return;
    }
    this.#waiting.set(key, item);
    this.#schedule(this.#kind.lingerMs);
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const patience = new AbortController();
    const last = (this.#flushing ?? Promise.resolve()).then(() => this.#flushAll());
    await Promise.race([last, sleep(STOP_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    if (this.#waiting.size === 0) return;
    this.#options.log.warn(
      { waiting: this.#waiting.size },
      `${this.#kind.name} are lost: the database did not take them`,
    );
    this.#options.onDropped(this.#waiting.size);
    this.#waiting.clear();
  }

  #schedule(afterMs: number): void {
    if (this.#timer !== null || this.#flushing !== null || this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flushing = this.#flushAll()
        .catch((error: unknown) =>
          this.#options.log.error({ err: error }, `${this.#kind.name} could not be recorded`),
        )
        .finally(() => {
          this.#flushing = null;
          if (this.#waiting.size > 0) this.#schedule(this.#pause.next());
        });
    }, afterMs);
  }

  /** Until nothing waits, or the database is away. */
  async #flushAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#take();
      try {
        await this.#write(batch);
        this.#pause.reset();
      } catch (error) {
        if (!concernsOne(error)) return this.#putBack(batch, error);
        if (!(await this.#writeAlone(batch))) return;
      }
    }
  }

  #take(): Item[] {
    const batch: Item[] = [];
    for (const [key, item] of this.#waiting) {
      if (batch.length === MAX_BATCH) break;
      this.#waiting.delete(key);
      batch.push(item);
    }
    return batch;
  }

  async #write(items: readonly Item[]): Promise<void> {
    const recorded = await this.#options.db.transaction((tx) => this.#kind.write(tx, items));
    for (const item of recorded) this.#remember(item);
  }

  #remember(item: Item): void {
    this.#options.onRecorded(item.machine !== null);
    this.#recent.set(this.#kind.keyOf(item), item);
  }

  #putBack(batch: readonly Item[], error: unknown): void {
    this.#options.log.warn(
      { err: error, count: batch.length },
      `cannot record ${this.#kind.name}, trying again`,
    );
    for (const item of batch) {
      const key = this.#kind.keyOf(item);
      const newer = this.#waiting.get(key);
      if (newer === undefined || replaces(item, newer)) this.#waiting.set(key, item);
    }
  }

  /**
   * Something is wrong with one of them: it alone is lost, or where it was PostgreSQL that broke, tried again. Returns
   * whether all have been dealt with.
   */
  async #writeAlone(batch: readonly Item[]): Promise<boolean> {
    const again: Item[] = [];
    let reason: unknown;
    for (const [index, item] of batch.entries()) {
      try {
        await this.#write([item]);
      } catch (error) {
        if (isMovedAway(error)) this.#options.onMoved(item);
        else if (isUnavailable(error)) {
          reason = error;
          again.push(...(concernsOne(error) ? [item] : batch.slice(index)));
          if (!concernsOne(error)) break;
        } else {
          this.#options.log.error(
            { err: error, emailId: item.emailId },
            `one of the ${this.#kind.name} could not be recorded`,
          );
          this.#options.onDropped(1);
        }
      }
    }
    if (again.length > 0) this.#putBack(again, reason);
    return again.length === 0;
  }
}

/** Of a machine's and a person's the person's is kept. */
export function replaces(item: Fetched, known: Fetched): boolean {
  return known.machine !== null && item.machine === null;
}

/** The database would say the same: it is within the minute, and no first person after a machine. */
function isRepetition(item: Fetched, recent: Fetched | undefined): boolean {
  if (recent === undefined || item.atMs - recent.atMs >= EVERY_MS) return false;
  return recent.machine === null || item.machine !== null;
}
