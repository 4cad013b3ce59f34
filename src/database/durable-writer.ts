/**
 * Writes facts that must not be lost to the database, in batches.
 *
 * Each batch is one call of `write`. While the database is unavailable, the batch is retried until the write succeeds. A
 * batch that fails for another reason is retried item by item, so that one bad item does not delay the others. An item
 * that fails alone is retried until it is written, or until `mayDrop` allows giving it up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../runtime/durations.ts';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Log } from '../runtime/log.ts';
import { Batcher } from '../runtime/work-loop/batcher.ts';
import { isInternal, isUnavailable } from './errors.ts';

interface DurableWriterOptions<Item> {
  readonly log: Log;
  /** One transaction for all items. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** How long a batch collects items; may depend on the size of the previous batch. */
  readonly lingerMs: number | ((itemsBefore: number) => number);
  /** The log message for a batch that waits for the database. */
  readonly unavailableMessage: string;
  /** The log message and its fields for an item that fails alone. */
  readonly failedMessage: string;
  readonly fieldsOf: (item: Item) => Readonly<Record<string, unknown>>;
  readonly mayDrop?: (item: Item) => boolean;
}

const MAX_BATCH_ITEMS = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_ALONE_MS = MINUTE_MS;

export class DurableWriter<Item> {
  readonly #options: DurableWriterOptions<Item>;
  readonly #batcher: Batcher<Item, undefined>;

  constructor(options: DurableWriterOptions<Item>) {
    this.#options = options;
    this.#batcher = new Batcher({
      flush: (items) => this.#flush(items),
      maxBatchItems: MAX_BATCH_ITEMS,
      maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the deliveries in progress
      lingerMs: options.lingerMs,
      retryAlone: () => true,
    });
  }

  /** Resolves when the item is in the database or was dropped. Never rejects. */
  async write(item: Item): Promise<void> {
    const { log, failedMessage, fieldsOf, mayDrop } = this.#options;
    let pause: GrowingPause | undefined;
    for (;;) {
      try {
        return await this.#batcher.add(item);
      } catch (error) {
        log.error({ err: error, ...fieldsOf(item) }, failedMessage);
      }
      if (mayDrop?.(item)) return;
      pause ??= new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_ALONE_MS);
      await sleep(pause.next());
    }
  }

  /** Resolves when every item so far has been written. */
  drained(): Promise<void> {
    return this.#batcher.drained();
  }

  async #flush(items: readonly Item[]): Promise<readonly undefined[]> {
    const { log, write, unavailableMessage } = this.#options;
    const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    for (;;) {
      try {
        await write(items);
        return items.map(() => undefined);
      } catch (error) {
        // Any other error may be caused by one of the items.
        if (!isUnavailable(error) || isInternal(error)) throw error;
        const retryMs = pause.next();
        log.warn({ err: error, waiting: items.length, retryMs }, unavailableMessage);
        await sleep(retryMs);
      }
    }
  }
}
