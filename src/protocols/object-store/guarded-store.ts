/**
 * A circuit breaker around an object store. After several consecutive failures the store is not called for a
 * while; then one call tests it, and after its success all calls are allowed again. The number of concurrent
 * calls is limited.
 *
 * States: `closed` (calls allowed), `open` (no calls until a time), `trying` (one test call).
 */
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { type ObjectStore, StoreProblem } from './object-store.ts';

interface GuardedStoreOptions {
  readonly store: ObjectStore;
  /** Must be monotonic. */
  readonly clock: Clock;
  readonly log: Log;
  readonly onCall?: (operation: keyof ObjectStore, isAnswered: boolean) => void;
}

const FAILURES = 3;
const LEFT_ALONE_MS = 10_000;
/** Each call may hold an object in memory. */
const AT_ONCE = 32;

export class GuardedStore implements ObjectStore {
  readonly #options: GuardedStoreOptions;
  #failures = 0;
  #leftAloneUntilMs = 0;
  #isTrying = false;
  #asking = 0;
  #lastProblem = '';

  constructor(options: GuardedStoreOptions) {
    this.#options = options;
  }

  put(name: string, bytes: Buffer): Promise<void> {
    return this.#call('put', (store) => store.put(name, bytes));
  }

  get(name: string): Promise<Buffer | null> {
    return this.#call('get', (store) => store.get(name));
  }

  remove(name: string): Promise<void> {
    return this.#call('remove', (store) => store.remove(name));
  }

  list(beginning: string): Promise<readonly string[]> {
    return this.#call('list', (store) => store.list(beginning));
  }

  async #call<T>(operation: keyof ObjectStore, ask: (store: ObjectStore) => Promise<T>): Promise<T> {
    const { store, onCall } = this.#options;
    const isTrying = this.#enter();
    this.#asking += 1;
    try {
      const answer = await ask(store);
      this.#answered();
      onCall?.(operation, true);
      return answer;
    } catch (error) {
      if (error instanceof StoreProblem) this.#failed(error);
      onCall?.(operation, false);
      throw error;
    } finally {
      this.#asking -= 1;
      if (isTrying) this.#isTrying = false;
    }
  }

  /** True for the test call. */
  #enter(): boolean {
    if (this.#asking >= AT_ONCE) throw new StoreProblem(`More than ${AT_ONCE} ask it at once.`);
    if (this.#failures < FAILURES) return false;
    if (this.#isTrying || this.#options.clock.nowMs() < this.#leftAloneUntilMs)
      throw new StoreProblem(`It is left alone for a while: ${this.#lastProblem}`);
    this.#isTrying = true;
    return true;
  }

  #answered(): void {
    if (this.#failures >= FAILURES) this.#options.log.info('the content store answers again');
    this.#failures = 0;
  }

  #failed(error: StoreProblem): void {
    this.#failures += 1;
    this.#lastProblem = error.message;
    if (this.#failures < FAILURES) return;
    this.#leftAloneUntilMs = this.#options.clock.nowMs() + LEFT_ALONE_MS;
    if (this.#failures === FAILURES)
      this.#options.log.warn({ problem: error.message }, 'the content store does not answer');
  }
}
