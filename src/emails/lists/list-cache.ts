/** A bounded cache of per-day facts about lists: see email-lists.ts, its one user. */
import type { DaySlice } from './list-window.ts';
import type { EmailFilter } from './store-list.ts';

/** Counts and marks together; about 100 bytes each. */
const MAX_CELLS = 100_000;

interface Day {
  readonly stamp: string;
  count?: number;
  marks?: readonly string[];
}

/** For one list: the same organization, and the same filter except for its dates. */
export class CachedList {
  readonly #days = new Map<string, Day>();
  #cells = 0;

  /** The size of the list; a list counts a little even when it is empty. */
  get cells(): number {
    return 1 + this.#cells;
  }

  count(slice: DaySlice): number | undefined {
    return this.#find(slice)?.count;
  }

  marks(slice: DaySlice): readonly string[] | undefined {
    return this.#find(slice)?.marks;
  }

  keepCount(slice: DaySlice, count: number): void {
    this.#keep(slice, { count });
  }

  keepMarks(slice: DaySlice, marks: readonly string[]): void {
    this.#keep(slice, { marks });
  }

  #find({ day, stamp }: DaySlice): Day | undefined {
    const known = this.#days.get(day);
    return known?.stamp === stamp ? known : undefined;
  }

  #keep(slice: DaySlice, fact: Omit<Day, 'stamp'>): void {
    const kept = { ...this.#find(slice), ...fact, stamp: slice.stamp };
    this.#cells += size(kept) - size(this.#days.get(slice.day));
    this.#days.set(slice.day, kept);
  }
}

export class ListCache {
  /** The least recently used first. */
  readonly #lists = new Map<string, CachedList>();
  readonly #maxCells: number;
  readonly #measured = new WeakMap<CachedList, number>();
  /** Of all lists, as last measured. */
  #cells = 0;

  constructor(maxCells = MAX_CELLS) {
    this.#maxCells = maxCells;
  }

  get size(): number {
    return this.#lists.size;
  }

  /** Passes the cached list to `use`, and evicts other lists afterwards. */
  async with<T>(
    organizationId: string,
    filter: EmailFilter,
    use: (list: CachedList) => Promise<T>,
  ): Promise<T> {
    // Everything except the dates, so that a filter added later is part of the key, too.
    const { fromMs: _from, toMs: _to, ...undated } = filter;
    const key = JSON.stringify([organizationId, undated]);
    const list = this.#take(key) ?? new CachedList();
    this.#put(key, list);
    try {
      return await use(list);
    } finally {
      // Measured again, because it may have grown. A list that was evicted meanwhile is added again.
      this.#take(key);
      this.#put(key, list);
      this.#trim();
    }
  }

  #take(key: string): CachedList | undefined {
    const held = this.#lists.get(key);
    if (held === undefined) return undefined;
    this.#lists.delete(key);
    this.#cells -= this.#measured.get(held) ?? 0;
    return held;
  }

  #put(key: string, list: CachedList): void {
    this.#lists.set(key, list);
    this.#measured.set(list, list.cells);
    this.#cells += list.cells;
  }

  #trim(): void {
    for (const key of this.#lists.keys()) {
      if (this.#cells <= this.#maxCells) return;
      this.#take(key);
    }
  }
}

function size(day: Day | undefined): number {
  return day === undefined ? 0 : 1 + (day.marks?.length ?? 0);
}
