/**
 * A bounded cache whose entries expire after a fixed time, for answers that are read often and change seldom.
 */
import { BoundedMap } from './bounded-map.ts';
import type { Clock } from './clock.ts';

interface TtlCacheOptions {
  readonly keepMs: number;
  readonly max: number;
  readonly clock: Clock;
}

interface Entry<Value> {
  readonly value: Value;
  readonly untilMs: number;
}

export class TtlCache<Value> {
  readonly #keepMs: number;
  readonly #clock: Clock;
  readonly #entries: BoundedMap<string, Entry<Value>>;

  constructor({ keepMs, max, clock }: TtlCacheOptions) {
    this.#keepMs = keepMs;
    this.#clock = clock;
    this.#entries = new BoundedMap(max);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.untilMs > this.#clock.nowMs()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  /**
   * `sinceMs` is the time at which the value was valid. Pass the time before a query whose answer may be that
   * old.
   */
  set(key: string, value: Value, sinceMs: number = this.#clock.nowMs()): void {
    this.#entries.set(key, { value, untilMs: sinceMs + this.#keepMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
