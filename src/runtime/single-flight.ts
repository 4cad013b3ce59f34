/** Runs one piece of work at a time: callers share the run in progress. */
export class SharedRun<Value> {
  readonly #work: () => Promise<Value>;
  #running: Promise<Value> | null = null;

  constructor(work: () => Promise<Value>) {
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  run(): Promise<Value> {
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Resolves when the run in progress has ended, even if it failed. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }
}

/** Runs work once for all concurrent callers with the same key. */
export class SingleFlight<Key, Value> {
  readonly #running = new Map<Key, Promise<Value>>();

  run(key: Key, work: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  /** Resolves when the work in progress has ended, even if it failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
