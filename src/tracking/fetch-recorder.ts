/**
 * Records fetches in their cells' databases. Each cell has a queue, so that an unavailable one does not delay others.
 * Fetches of organizations that are being moved wait separately.
 */
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { perCell } from '../database/per-cell.ts';
import type { Fetched } from '../emails/opens.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { FetchQueue, type Kind, MAX_WAITING, replaces } from './fetch-queue.ts';

export interface FetchRecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly maxWaiting?: number;
}

/** The interval at which the cells of unplaced fetches are looked up again. */
const PLACE_EVERY_MS = 500;

export class FetchRecorder<Item extends Fetched> implements Service {
  readonly name: string;
  readonly #log: Log;
  readonly #queueOf: (organizationId: string) => FetchQueue<Item>;
  readonly #queues: FetchQueue<Item>[] = [];
  readonly #unplaced: UnplacedFetches<Item>;
  readonly #drop: (count: number) => void;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(kind: Kind<Item>, { db, log, metrics, maxWaiting }: FetchRecorderOptions) {
    const { onRecorded, onDropped } = numbersOf(kind, metrics, () => this.waiting);
    this.name = kind.name;
    this.#log = log;
    this.#drop = onDropped;
    this.#unplaced = new UnplacedFetches(kind.keyOf, maxWaiting);
    this.#queueOf = perCell(db, (cell) => {
      const onMoved = (item: Item) => this.add(item);
      const queue = new FetchQueue(kind, { db: cell, log, maxWaiting, onRecorded, onDropped, onMoved });
      this.#queues.push(queue);
      return queue;
    });
  }

  get waiting(): number {
    return this.#queues.reduce((sum, { waiting }) => sum + waiting, this.#unplaced.size);
  }

  async start(): Promise<void> {}

  /** Does not block or throw, because the request has been answered. */
  add(item: Item): void {
    const queue = this.#stopped ? undefined : this.#placeOf(item.organizationId);
    if (queue === undefined) this.#drop(1);
    else if (queue !== null) queue.add(item);
    else if (this.#unplaced.add(item))
      this.#timer ??= setInterval(() => this.#place(), PLACE_EVERY_MS).unref();
    else this.#drop(1);
  }

  /** Null while the organization's cell is unknown or the organization is being moved. */
  #placeOf(organizationId: string): FetchQueue<Item> | null {
    try {
      return this.#queueOf(organizationId);
    } catch (error) {
      if (!isUnavailable(error))
        this.#log.error({ err: error }, `cannot determine the organization of ${this.name}`);
      return null;
    }
  }

  #place(): void {
    for (const [organizationId, items] of this.#unplaced.byOrganization()) {
      const queue = this.#placeOf(organizationId);
      if (queue === null) continue;
      this.#unplaced.remove(organizationId);
      for (const item of items) queue.add(item);
    }
    if (this.#unplaced.size === 0) this.#stopTimer();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async stop(): Promise<void> {
    this.#place();
    this.#stopped = true;
    this.#stopTimer();
    const lost = this.#unplaced.clear();
    if (lost > 0) {
      this.#log.warn({ waiting: lost }, `${this.name} are lost: their organization cannot be determined`);
      this.#drop(lost);
    }
    await Promise.all(this.#queues.map((queue) => queue.stop()));
  }
}

function numbersOf({ name }: { readonly name: string }, metrics: Metrics, waiting: () => number) {
  const what = name.slice(0, 1).toUpperCase() + name.slice(1);
  const count = metrics.counter(`postrider_${name}_recorded_total`, `${what} that became events.`, [
    'machine',
  ]);
  const lose = metrics.counter(
    `postrider_${name}_dropped_total`,
    `${what} that were lost because the database was unavailable for too long.`,
  );
  metrics.gauge(`postrider_${name}_waiting`, `${what} that wait to be written.`, waiting);
  return {
    onRecorded: (isMachine: boolean) => count({ machine: String(isMachine) }),
    onDropped: (by: number) => lose({}, by),
  };
}

/**
 * Fetches of organizations that are being moved to another cell, or whose cell is unknown at the moment. Owns the
 * waiting fetches: one per key, as in the queues, and no more than one queue holds.
 */
class UnplacedFetches<Item extends Fetched> {
  readonly #keyOf: (item: Item) => string;
  readonly #max: number;
  readonly #items = new Map<string, Map<string, Item>>();
  #size = 0;

  constructor(keyOf: (item: Item) => string, max = MAX_WAITING) {
    this.#keyOf = keyOf;
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** False when full. */
  add(item: Item): boolean {
    const own = this.#items.get(item.organizationId) ?? new Map<string, Item>();
    const key = this.#keyOf(item);
    const known = own.get(key);
    if (known !== undefined && !replaces(item, known)) return true;
    if (known === undefined && this.#size >= this.#max) return false;
    if (known === undefined) this.#size += 1;
    own.set(key, item);
    this.#items.set(item.organizationId, own);
    return true;
  }

  byOrganization(): (readonly [organizationId: string, items: readonly Item[]])[] {
    return [...this.#items].map(([organizationId, own]) => [organizationId, [...own.values()]]);
  }

  remove(organizationId: string): void {
    this.#size -= this.#items.get(organizationId)?.size ?? 0;
    this.#items.delete(organizationId);
  }

  /** Returns the number of removed fetches. */
  clear(): number {
    const size = this.#size;
    this.#items.clear();
    this.#size = 0;
    return size;
  }
}
