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
