/**
 * A cached value from the database: loaded at startup, on every change notification, and at an interval in
 * case a notification was missed. While loading fails, the last value stays in use.
 */
import { SharedRun } from '../single-flight.ts';

interface RefreshingCacheOptions {
  readonly everyMs: number;
  readonly read: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class RefreshingCache {
  readonly #options: RefreshingCacheOptions;
  #timer: NodeJS.Timeout | undefined;
  readonly #reading = new SharedRun(() => this.#readUntilFresh());
  #isStale = false;

  constructor(options: RefreshingCacheOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#options.read();
    this.#timer = setInterval(() => this.refresh(), this.#options.everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading.settled();
  }

  /**
   * Call after a possible change. A load already in progress may predate the change, so another one follows.
   */
  refresh(): void {
    this.#isStale = true;
    void this.#reading.run();
  }

  async #readUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#options.read().catch(this.#options.onError);
    }
  }
}
