/**
 * Claims work, runs it, and claims again when there is room.
 *
 * Owns the number of items in progress. States: idle (nothing to claim; waits for a wake-up or the next
 * poll), busy (claims when enough of its room is free), paused (the last claim failed; waits longer each
 * time), stopping (claims nothing more, waits for work in progress). The work itself records its results; the
 * loop only counts items.
 */

import { GrowingPause } from '../growing-pause.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';

interface WorkLoopOptions<Item> {
  readonly name: string;
  readonly log: Log;
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  readonly work: (item: Item) => Promise<void>;
  /** Maximum number of items in progress. */
  readonly capacity: number;
  /** Time until the next claim when nothing was due and no wake-up came. */
  readonly pollMs: number;
  /** How long stop() waits for work in progress. */
  readonly drainMs: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Small claims cost as much as large ones, so claims wait until 1/4 of the room is free. */
const REFILL_PART = 4;

export class WorkLoop<Item> implements Service {
  readonly name: string;
  readonly #options: WorkLoopOptions<Item>;
  #inHand = 0;
  #stopped = false;
  #running: Promise<void> | null = null;
  readonly #pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  /** Counts wake-ups, so that one during a claim is not missed. */
  #wakeUps = 0;
  #rouse: (() => void) | null = null;

  constructor(options: WorkLoopOptions<Item>) {
    this.name = options.name;
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#running = this.#run();
  }

  /** Signals that there may be work to claim. */
  wake(): void {
    this.#wakeUps += 1;
    this.#rouse?.();
  }

  /** Schedules a claim for work that becomes due. If the next poll comes earlier, the poll finds it. */
  wakeIn(ms: number): void {
    if (ms < this.#options.pollMs) setTimeout(() => this.wake(), Math.max(0, ms)).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
    const deadline = performance.now() + this.#options.drainMs;
    while (this.#inHand > 0 && performance.now() < deadline) {
      await this.#sleep(deadline - performance.now());
    }
  }

  /** Resolves when no item is in progress. Call this after stop(), because until then new items arrive. */
  async idle(): Promise<void> {
    while (this.#inHand > 0) await this.#sleep(this.#options.pollMs);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const wakeUps = this.#wakeUps;
      const room = this.#options.capacity - this.#inHand;
      if (room * REFILL_PART < this.#options.capacity) await this.#sleep(this.#options.pollMs);
      else if (!(await this.#claim(room)) && wakeUps === this.#wakeUps)
        await this.#sleep(this.#options.pollMs);
    }
  }

  /** True when there may be more to claim at once. */
  async #claim(room: number): Promise<boolean> {
    try {
      const items = await this.#options.claim(room);
      this.#pause.reset();
      for (const item of items) void this.#work(item);
      return items.length > 0;
    } catch (error) {
      const retryMs = this.#pause.next();
      this.#options.log.warn({ err: error, retryMs }, `${this.name}: cannot claim work; retrying`);
      await this.#sleep(retryMs);
      return true;
    }
  }

  async #work(item: Item): Promise<void> {
    this.#inHand += 1;
    try {
      await this.#options.work(item);
    } catch (error) {
      // Work must settle its own item. The reconciliation of claims with items in progress releases an item
      // left unsettled.
      this.#options.log.error({ err: error }, `${this.name}: work on an item failed without an outcome`);
    } finally {
      this.#inHand -= 1;
      this.#rouse?.();
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#rouse = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#rouse = done;
    });
  }
}
