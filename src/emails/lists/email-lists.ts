/**
 * The list of emails: exact totals, and pages whose cost does not depend on the number of emails.
 *
 * Counters store how many emails of each status each day has. They give the total of a list by status and days, and the day on
 * which a page begins. Other counts (a search, a part of a day) are computed per day and cached together with the day's stamp,
 * which changes whenever the count might (see counters/email-counts.ts): only changed days are counted again. Within a day of
 * many emails, one email in MARK_EVERY is cached in the same way.
 *
 * It owns this cache: at most MAX_CELLS numbers and ids in all, and the least recently used lists are evicted first. The cache
 * only affects speed; other processes have their own.
 */

import { countsOfDays } from '../../counters/email-counts.ts';
import type { Reads } from '../../database/reads.ts';
import type { Sql } from '../../database/sql.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { utcDay } from '../../runtime/timestamp.ts';
import { templatesNamed } from '../../templates/named.ts';
import {
  type CountedSlice,
  type DaySlice,
  daySlices,
  locate,
  type PagePosition,
  runsOf,
} from './list-window.ts';
import { isBackfilling } from './search-backfill.ts';
import {
  type Access,
  countPerDay,
  countWithin,
  type EmailFilter,
  type EmailItemRow,
  isSearch,
  selectMarks,
  selectPage,
} from './store-list.ts';

/** How many emails a statement that counts a search scans. */
interface CountingSteps {
  /** The newest emails, counted first: their share of matches predicts the rest. */
  readonly sample: number;
  /** For many matches: small enough that concurrent counts finish at about the same time. */
  readonly many: number;
  /** For few matches. Even without an index, this stays far below the time limit of a read. */
  readonly few: number;
}

const STEPS: CountingSteps = { sample: 20_000, many: 50_000, few: 200_000 };
/** The share of matching emails up to which matches are few. */
const FEW = 0.01;
/** Above this share of matches, a scan of all emails is faster than the index. */
const DENSE = 0.55;
/** Concurrent statements of one search: fewer than an organization may run, so that its other lists continue. */
const COUNTING_AT_A_TIME = 2;
/** After this time the caller is told to retry later; the counts so far are kept. */
const MAX_COUNTING_MS = 20_000;
const COUNTING_RETRY_SECONDS = 1;
/** Skipping this many matches takes no longer than the rest of a request. Matches of a search are checked one by one. */
const MARK_EVERY = 1_000;
const MARK_EVERY_OF_SEARCH = 100;
/** Scanning this many emails is cheaper than any search index. */
const SHORT_WALK = 2_000;

interface ListQuery {
  readonly db: Sql;
  readonly organizationId: string;
  readonly filter: EmailFilter;
  readonly remembered: CachedList;
}

type Counts = Map<DaySlice, number>;

export class EmailLists {
  readonly #reads: Reads;
  readonly #steps: CountingSteps;
  readonly #memory = new ListCache();
  /** Once all mail is in the search index, this stays true. */
  #isBackfilled = false;

  constructor(reads: Reads, steps = STEPS) {
    this.#reads = reads;
    this.#steps = steps;
  }

  async page(
    organizationId: string,
    asking: EmailFilter,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<{ rows: EmailItemRow[]; total: number }> {
    const db = this.#reads.lately(organizationId);
    const [slices, filter, stays] = await Promise.all([
      slicesIn(db, organizationId, asking),
      withTemplates(db, organizationId, asking).then((filter) => withKeyIndexed(db, filter)),
      this.#stays(db, asking),
    ]);
    const remembering = <T>(use: (list: CachedList) => Promise<T>): Promise<T> =>
      stays ? this.#memory.with(organizationId, filter, use) : use(new CachedList());
    return remembering(async (remembered) => {
      const query = { db, organizationId, filter, remembered };
      const counted = await this.#count(query, slices);
      const total = counted.reduce((sum, { count }) => sum + count, 0);
      const place = locate(counted, { offset: (page - 1) * limit, limit });
      return { total, rows: place === null ? [] : await this.#read(query, place) };
    });
  }

  /**
   * Whether a count holds until the stamp of a day changes. A state changes with time, or with an event; words find more of the
   * same mail while that mail is being indexed.
   */
  async #stays(db: Sql, { state, search }: EmailFilter): Promise<boolean> {
    if (state !== null) return false;
    if (search === null) return true;
    this.#isBackfilled ||= !(await isBackfilling(db));
    return this.#isBackfilled;
  }

  async #count(query: ListQuery, slices: readonly DaySlice[]): Promise<CountedSlice[]> {
    const search = isSearch(query.filter);
    const counts: Counts = new Map();
    for (const slice of slices) {
      const known = knownCount(slice, search) ?? (slice.whole ? query.remembered.count(slice) : undefined);
      if (known !== undefined) counts.set(slice, known);
    }
    const unknown = slices.filter((slice) => !counts.has(slice));
    if (search && unknown.length > 0) {
      await this.#search(query, unknown, slices, counts);
    } else await Promise.all(unknown.map((slice) => this.#countPart(query, slice, counts)));
    return slices.map((slice) => ({ slice, count: counts.get(slice) ?? 0 }));
  }

  /** Without a search, only the first and the last day of a list can be unknown, because the list covers a part of them. */
  async #countPart(
    { db, organizationId, filter }: ListQuery,
    slice: DaySlice,
    counts: Counts,
  ): Promise<void> {
    counts.set(slice, await countWithin(db, organizationId, filter, slice));
  }

  /** Counts the newest days first: their share of matches decides how to count the others. */
  async #search(
    query: ListQuery,
    unknown: readonly DaySlice[],
    all: readonly DaySlice[],
    counts: Counts,
  ): Promise<void> {
    const deadline = performance.now() + MAX_COUNTING_MS;
    const count = (by: Access) => async (run: readonly DaySlice[]) => {
      if (performance.now() > deadline)
        throw new ServiceError('UNAVAILABLE', undefined, { retryAfterSeconds: COUNTING_RETRY_SECONDS });
      await this.#countRun(query, run, by, counts);
    };
    const [sample = []] = runsOf(unknown, all, this.#steps.sample);
    await count('index')(sample);
    const share = shareOf(sample, counts);
    const step = share > FEW ? this.#steps.many : this.#steps.few;
    const rest = runsOf(unknown.slice(sample.length), all, step);
    await eachOf(rest, COUNTING_AT_A_TIME, count(share > DENSE ? 'walk' : 'index'));
  }

  async #countRun(
    { db, organizationId, filter, remembered }: ListQuery,
    run: readonly DaySlice[],
    by: Access,
    counts: Counts,
  ): Promise<void> {
    const [newest, oldest] = [run[0], run.at(-1)] as [DaySlice, DaySlice];
    const span = { fromMs: oldest.fromMs, beforeMs: newest.beforeMs };
    const found = await countPerDay(db, organizationId, filter, span, by);
    for (const slice of run) {
      const count = found.get(slice.day) ?? 0;
      counts.set(slice, count);
      if (slice.whole) remembered.keepCount(slice, count);
    }
  }

  async #read(query: ListQuery, place: PagePosition): Promise<EmailItemRow[]> {
    const { db, organizationId, filter } = query;
    const common = {
      fromMs: place.fromMs,
      beforeMs: place.beforeMs,
      limit: place.take,
      by: accessTo(filter, place),
    };
    const every = markEvery(filter);
    if (place.skipBack < place.skip && place.skipBack <= every) {
      const back = { ...common, beforeId: null, order: 'oldest first', offset: place.skipBack } as const;
      return (await selectPage(db, organizationId, filter, back)).reverse();
    }
    const passed = Math.floor(place.skip / every);
    const marks = passed === 0 ? [] : await this.#marks(query, place.slice, every);
    const beforeId = marks[passed - 1] ?? null;
    const offset = beforeId === null ? place.skip : place.skip - passed * every;
    return selectPage(db, organizationId, filter, {
      ...common,
      beforeId,
      order: 'newest first',
      offset,
    });
  }

  async #marks(
    { db, organizationId, filter, remembered }: ListQuery,
    slice: DaySlice,
    every: number,
  ): Promise<readonly string[]> {
    const known = slice.whole ? remembered.marks(slice) : undefined;
    if (known !== undefined) return known;
    const marks = await selectMarks(db, organizationId, filter, slice, every);
    if (slice.whole) remembered.keepMarks(slice, marks);
    return marks;
  }
}

export async function slicesIn(db: Sql, organizationId: string, filter: EmailFilter): Promise<DaySlice[]> {
  const { statuses, fromMs, toMs } = filter;
  const days = await countsOfDays(db, organizationId, {
    statuses,
    fromDay: fromMs === null ? null : utcDay(fromMs),
    toDay: toMs === null ? null : utcDay(toMs),
  });
  return daySlices(days, filter, statuses !== null);
}

/** A word may be part of a template's name, and then finds that template's mail. */
export async function withTemplates(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
): Promise<EmailFilter> {
  if (filter.search === null) return filter;
  const words = filter.search.map(({ text }) => text);
  const named = await templatesNamed(db, organizationId, words);
  return { ...filter, search: words.map((text, index) => ({ text, templateIds: named[index] ?? [] })) };
}

/** Queried every time: the progress of indexing differs between cells, and the answer must be complete. */
async function withKeyIndexed(db: Sql, filter: EmailFilter): Promise<EmailFilter> {
  return filter.sentWith === null ? filter : { ...filter, isKeyIndexed: !(await isBackfilling(db)) };
}

/** The share of emails that match. */
function shareOf(slices: readonly DaySlice[], counts: Counts): number {
  const matches = slices.reduce((sum, slice) => sum + (counts.get(slice) ?? 0), 0);
  return matches / slices.reduce((sum, slice) => sum + slice.emails, 0);
}

function markEvery(filter: EmailFilter): number {
  return isSearch(filter) ? MARK_EVERY_OF_SEARCH : MARK_EVERY;
}

/** The counters' result; undefined if the counters do not have it. */
function knownCount(slice: DaySlice, search: boolean): number | undefined {
  if (slice.ofStatus === 0) return 0;
  return slice.whole && !search ? slice.ofStatus : undefined;
}

/** Both access paths find the same mail. For a dense search, the next match is near; for a rare one, the index is faster. */
function accessTo(filter: EmailFilter, { skip, skipBack, take, emails, matches }: PagePosition): Access {
  if (!isSearch(filter)) return 'walk';
  const walked = (Math.min(skip % MARK_EVERY_OF_SEARCH, skipBack) + take) * (emails / matches);
  return walked <= Math.max(SHORT_WALK, matches) ? 'walk' : 'index';
}

async function eachOf<T>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const take = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atATime }, take));
}

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

/** A bounded cache of per-day facts about lists: see email-lists.ts, its one user. */
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
