/**
 * Something of the database that is kept in memory: read at the start, when somebody says that it has changed, and every so
 * often, for when nobody heard it. While it cannot be read, the last one stands.
 */

export interface RefreshingCacheOptions {
  readonly everyMs: number;
  readonly read: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class RefreshingCache {
  readonly #options: RefreshingCacheOptions;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | null = null;
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
    await this.#reading;
  }

  /** It may have changed. What is being read may have been asked for before that: then it is read again. */
  refresh(): void {
    this.#isStale = true;
    this.#reading ??= this.#readUntilFresh().finally(() => {
      this.#reading = null;
    });
  }

  async #readUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#options.read().catch(this.#options.onError);
    }
  }
}
