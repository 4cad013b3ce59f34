/**
 * Queues fetches of tracking URLs for a cell's database: requests are answered from memory, and the events are
 * written in batches.
 *
 * Owns the pending fetches, one per key: a pixel fetched a thousand times takes the room of one, and a person's fetch
 * replaces a machine's. Also remembers what was recorded within the last minute, so that repetitions cost no query. A
 * fetch is pending, then in the one flush in progress, then recorded or discarded. While the database is unavailable,
 * the batch returns to the queue and is retried. The queue is bounded to limit the memory of the API; fetches beyond
 * the bound are dropped and counted.
 * States: created, started, stopping (one last flush), stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { concernsOne, isMovedAway, isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { EVERY_MS, type Fetched } from '../emails/opens.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Log } from '../runtime/log.ts';

interface FetchQueueOptions<Item> {
  readonly db: Database;
  readonly log: Log;
  readonly maxWaiting?: number | undefined;
  readonly onRecorded: (isMachine: boolean) => void;
  readonly onDropped: (count: number) => void;
  /** Called for fetches whose organization was moved, or is being moved, to another cell. */
  readonly onMoved: (item: Item) => void;
}

export interface Kind<Item extends Fetched> {
  /** In the plural: `opens`. */
  readonly name: string;
  /** Fetches with the same key count as one. */
  readonly keyOf: (item: Item) => string;
  /** The maximum time to collect a batch, besides the previous flush. */
  readonly lingerMs: number;
  /** Runs in a transaction. Returns the items that became events. */
  readonly write: (tx: Sql, items: readonly Item[]) => Promise<readonly Item[]>;
}

/** About 10 MB with long user agents. */
export const MAX_WAITING = 20_000;
const MAX_REMEMBERED = 20_000;
const MAX_BATCH = 500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** The maximum wait for the last flush at a stop. */
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

  /** Does not block or throw, because the request has been answered. */
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
    const timeout = new AbortController();
    const last = (this.#flushing ?? Promise.resolve()).then(() => this.#flushAll());
    await Promise.race([last, sleep(STOP_MS, undefined, { signal: timeout.signal }).catch(() => {})]);
    timeout.abort();
    if (this.#waiting.size === 0) return;
    this.#options.log.warn(
      { waiting: this.#waiting.size },
      `${this.#kind.name} are lost: the database did not accept them`,
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

  /** Flushes until the queue is empty or the database is unavailable. */
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
   * Writes a failed batch item by item: an invalid item is dropped alone; after a failure of PostgreSQL the item is
   * retried. Returns whether all have been processed.
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

/** A person's fetch replaces a machine's. */
export function replaces(item: Fetched, known: Fetched): boolean {
  return known.machine !== null && item.machine === null;
}

/**
 * True when recording would have no effect: the same key within the minute, and not the first person after a machine.
 */
function isRepetition(item: Fetched, recent: Fetched | undefined): boolean {
  if (recent === undefined || item.atMs - recent.atMs >= EVERY_MS) return false;
  return recent.machine === null || item.machine !== null;
}
