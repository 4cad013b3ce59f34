/**
 * Claims work, does it, and claims again when there is room.
 *
 * It owns the number of items in hand. States: idle (nothing to claim: waits for a wake-up or the next poll),
 * busy (claims as soon as a good part of its room is free), paused (the last claim failed: waits, longer each
 * time), stopping (claims nothing more, waits for what is in hand). What an item's work found out is the work's
 * own business; the loop only counts.
 */

import { GrowingPause } from '../growing-pause.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';

export interface WorkLoopOptions<Item> {
  readonly name: string;
  readonly log: Log;
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  readonly work: (item: Item) => Promise<void>;
  /** How many items may be in hand. */
  readonly capacity: number;
  /** How long to wait before looking again when nothing was due and nobody woke us. */
  readonly pollMs: number;
  /** How long stop() waits for what is in hand. */
  readonly drainMs: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Small claims cost as much as large ones, so claim when at least this part of the room is free. */
const REFILL_PART = 4;

export class WorkLoop<Item> implements Service {
  readonly name: string;
  readonly #options: WorkLoopOptions<Item>;
  #inHand = 0;
  #stopped = false;
  #running: Promise<void> | null = null;
  readonly #pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  /** Counts wake-ups, so that one that comes during a claim is not missed. */
  #wakeUps = 0;
  #rouse: (() => void) | null = null;

  constructor(options: WorkLoopOptions<Item>) {
    this.name = options.name;
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#running = this.#run();
  }

  /** There may be something to claim. */
  wake(): void {
    this.#wakeUps += 1;
    this.#rouse?.();
  }

  /** There will be something to claim then. Later than the next poll, the poll finds it. */
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

  /** Resolves when nothing is in hand. To be asked after stop(): until then there is always more. */
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
      this.#options.log.warn({ err: error, retryMs }, `${this.name}: cannot claim, trying again`);
      await this.#sleep(retryMs);
      return true;
    }
  }

  async #work(item: Item): Promise<void> {
    this.#inHand += 1;
    try {
      await this.#options.work(item);
    } catch (error) {
      // Work must settle its item itself; what it did not is given back by whoever compares what is claimed with what is in hand.
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
