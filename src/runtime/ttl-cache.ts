/**
 * What was found out lately, for so long and no longer: for answers that are asked for often and change seldom. Holds so
 * many at most; what is over is as good as not there.
 */
import { BoundedMap } from './bounded-map.ts';
import type { Clock } from './clock.ts';

export interface TtlCacheOptions {
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

  /** `sinceMs`: when it was so; before the question was asked, where the answer may be as old as that. */
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
