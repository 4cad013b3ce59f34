/**
 * Combines single items into batches: a caller adds one item and awaits its result; items that gather during
 * a flush go out as the next batch.
 *
 * Owns the queue of items not yet flushed. One flush is in flight at a time (or `parallel`). By default no
 * timer is involved: a lone item is flushed at once, and under load the batch size follows the duration of a
 * flush. `lingerMs` lets a batch gather longer where a delay is cheaper than a commit; it may depend on the
 * size of the previous batch.
 *
 * The queue is bounded. When it is full, items are refused at once with BatcherFullError, so that callers can
 * answer "try later" instead of filling the memory.
 */
export interface BatcherOptions<Item, Result> {
  /** Returns one result per item, in order. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxBatchItems: number;
  readonly maxQueuedItems: number;
  /**
   * When more items than this are waiting, half of them are flushed. Callers that finish together return
   * together: if all were flushed at once, the database would be idle while they prepare their next items.
   */
  readonly halveFrom?: number;
  /** The weight of an item, when items differ much in size (bytes). */
  readonly weigh?: (item: Item) => number;
  readonly maxBatchWeight?: number;
  readonly maxQueuedWeight?: number;
  readonly parallel?: number;
  /** A parallel flush starts only when this many items are waiting; smaller ones cost more than they gain. */
  readonly besideFrom?: number;
  readonly lingerMs?: number | ((itemsBefore: number) => number);
  /** Whether to retry a failed batch item by item, so that one bad item fails alone. */
  readonly retryAlone?: (error: unknown) => boolean;
}

export class BatcherFullError extends Error {
  constructor() {
    super('Too much work is waiting.');
    this.name = 'BatcherFullError';
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #queue: Waiting<Item, Result>[] = [];
  #queuedWeight = 0;
  #itemsBefore = 0;
  #inFlight = 0;
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    const weight = this.#options.weigh?.(item) ?? 0;
    const { maxQueuedItems, maxQueuedWeight = Number.POSITIVE_INFINITY } = this.#options;
    if (
      this.#queue.length >= maxQueuedItems ||
      (this.#queuedWeight > 0 && this.#queuedWeight + weight > maxQueuedWeight)
    ) {
      return Promise.reject(new BatcherFullError());
    }
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ item, weight, resolve, reject });
      this.#queuedWeight += weight;
      this.#schedule();
    });
  }

  /** Resolves when everything added so far has been flushed. */
  drained(): Promise<void> {
    if (this.#queue.length === 0 && this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    const { parallel = 1, besideFrom = 1 } = this.#options;
    if (this.#scheduled || this.#inFlight >= parallel) return;
    if (this.#inFlight > 0 && this.#queue.length < besideFrom) return;
    this.#scheduled = true;
    const { lingerMs: linger = 0, maxBatchItems } = this.#options;
    const lingerMs = typeof linger === 'number' ? linger : linger(this.#itemsBefore);
    // setImmediate lets all items of this event-loop turn join the batch.
    if (lingerMs > 0 && this.#queue.length < maxBatchItems) setTimeout(() => this.#start(), lingerMs);
    else setImmediate(() => this.#start());
  }

  #start(): void {
    this.#scheduled = false;
    const batch = this.#take();
    if (batch.length === 0) return;
    this.#inFlight += 1;
    void this.#flush(batch)
      // Unexpected errors reject the waiting callers, because no other code would see them.
      .catch((error: unknown) => rejectAll(batch, error))
      .finally(() => {
        this.#inFlight -= 1;
        if (this.#queue.length > 0) this.#schedule();
        else if (this.#inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve();
      });
    if (this.#queue.length > 0) this.#schedule();
  }

  #take(): Waiting<Item, Result>[] {
    const { maxBatchWeight = Number.POSITIVE_INFINITY } = this.#options;
    const maxBatchItems = this.#maxItems();
    let count = 0;
    let weight = 0;
    for (const waiting of this.#queue) {
      if (count === maxBatchItems || (count > 0 && weight + waiting.weight > maxBatchWeight)) break;
      count += 1;
      weight += waiting.weight;
    }
    this.#queuedWeight -= weight;
    this.#itemsBefore = count;
    return this.#queue.splice(0, count);
  }

  #maxItems(): number {
    const { maxBatchItems, halveFrom = maxBatchItems } = this.#options;
    return Math.min(maxBatchItems, Math.max(halveFrom, Math.ceil(this.#queue.length / 2)));
  }

  async #flush(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.flush(batch.map((waiting) => waiting.item));
      if (results.length !== batch.length) throw new Error('A flush must answer every item.');
      batch.forEach((waiting, index) => {
        waiting.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && this.#options.retryAlone?.(error)) {
        for (const waiting of batch) await this.#flush([waiting]);
      } else {
        rejectAll(batch, error);
      }
    }
  }
}

function rejectAll(batch: readonly Pick<Waiting<unknown, unknown>, 'reject'>[], error: unknown): void {
  for (const waiting of batch) waiting.reject(error);
}
