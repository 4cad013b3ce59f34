/**
 * The list of emails: exact totals, and pages that cost the same however many emails there are.
 *
 * Counters know how many emails of each status each day holds. That is the total of a list by status and days, and
 * it says on which day a page begins. What counters do not know (a search, a part of a day) is counted per day and
 * remembered together with the day's stamp, which changes whenever the count might (see counters/email-counts.ts): only
 * days that changed are counted again. Within a day of many emails, one in MARK_EVERY is remembered in the same way.
 *
 * It owns what is remembered: at most MAX_CELLS numbers and ids in all, least recently used lists go first. Nothing
 * depends on it but speed; other processes have their own.
 */

import { countsOfDays } from '../../counters/email-counts.ts';
import type { Reads } from '../../database/reads.ts';
import type { Sql } from '../../database/sql.ts';
import { utcDay } from '../../runtime/moment.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { templatesNamed } from '../../templates/named.ts';
import { CachedList, ListCache } from './list-cache.ts';
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

/** How many emails the statements that count a search look through. */
export interface CountingSteps {
  /** The newest, first: they show how many of the rest will match. */
  readonly sample: number;
  /** Where many match: small enough that those who count side by side are done together. */
  readonly many: number;
  /** Where few do. Even when none of an index helps this is far from what a read may take. */
  readonly few: number;
}

const STEPS: CountingSteps = { sample: 20_000, many: 50_000, few: 200_000 };
/** The part of all emails up to which matches are few. */
const FEW = 0.01;
/** Where more than this part of all emails match, looking at every one takes less than looking them up. */
const DENSE = 0.55;
/** Statements of one search at a time: fewer than an organization may have, so that its other lists go on. */
const COUNTING_AT_A_TIME = 2;
/** After this long the caller is told to come back; what was counted until then is kept. */
const MAX_COUNTING_MS = 20_000;
const COUNTING_RETRY_SECONDS = 1;
/** Skipping this many matches takes no longer than the rest of a request. Those of a search are checked one by one. */
const MARK_EVERY = 1_000;
const MARK_EVERY_OF_SEARCH = 100;
/** Walking over this many emails is cheaper than any index of searches. */
const SHORT_WALK = 2_000;

interface Asked {
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
  /** Once all mail is in the index of searches, it stays so. */
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
      const asked = { db, organizationId, filter, remembered };
      const counted = await this.#count(asked, slices);
      const total = counted.reduce((sum, { count }) => sum + count, 0);
      const place = locate(counted, { offset: (page - 1) * limit, limit });
      return { total, rows: place === null ? [] : await this.#read(asked, place) };
    });
  }

  /**
   * Whether what was counted holds until the stamp of a day changes. A state changes with time, or with an event; words find
   * more of the same mail while that is being indexed.
   */
  async #stays(db: Sql, { state, search }: EmailFilter): Promise<boolean> {
    if (state !== null) return false;
    if (search === null) return true;
    this.#isBackfilled ||= !(await isBackfilling(db));
    return this.#isBackfilled;
  }

  async #count(asked: Asked, slices: readonly DaySlice[]): Promise<CountedSlice[]> {
    const search = isSearch(asked.filter);
    const counts: Counts = new Map();
    for (const slice of slices) {
      const known = knownCount(slice, search) ?? (slice.whole ? asked.remembered.count(slice) : undefined);
      if (known !== undefined) counts.set(slice, known);
    }
    const unknown = slices.filter((slice) => !counts.has(slice));
    if (search && unknown.length > 0) {
      await this.#search(asked, unknown, slices, counts);
    } else await Promise.all(unknown.map((slice) => this.#countPart(asked, slice, counts)));
    return slices.map((slice) => ({ slice, count: counts.get(slice) ?? 0 }));
  }

  /** Without a search only the first and the last day of a list can be unknown: those it has a part of. */
  async #countPart({ db, organizationId, filter }: Asked, slice: DaySlice, counts: Counts): Promise<void> {
    counts.set(slice, await countWithin(db, organizationId, filter, slice));
  }

  /** The newest days first: how many match there says how to count the others. */
  async #search(
    asked: Asked,
    unknown: readonly DaySlice[],
    all: readonly DaySlice[],
    counts: Counts,
  ): Promise<void> {
    const deadline = performance.now() + MAX_COUNTING_MS;
    const count = (by: Access) => async (run: readonly DaySlice[]) => {
      if (performance.now() > deadline)
        throw new ServiceError('UNAVAILABLE', undefined, { retryAfterSeconds: COUNTING_RETRY_SECONDS });
      await this.#countRun(asked, run, by, counts);
    };
    const [sample = []] = runsOf(unknown, all, this.#steps.sample);
    await count('index')(sample);
    const share = shareOf(sample, counts);
    const step = share > FEW ? this.#steps.many : this.#steps.few;
    const rest = runsOf(unknown.slice(sample.length), all, step);
    await eachOf(rest, COUNTING_AT_A_TIME, count(share > DENSE ? 'walk' : 'index'));
  }

  async #countRun(
    { db, organizationId, filter, remembered }: Asked,
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

  async #read(asked: Asked, place: PagePosition): Promise<EmailItemRow[]> {
    const { db, organizationId, filter } = asked;
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
    const marks = passed === 0 ? [] : await this.#marks(asked, place.slice, every);
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
    { db, organizationId, filter, remembered }: Asked,
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

async function slicesIn(db: Sql, organizationId: string, filter: EmailFilter): Promise<DaySlice[]> {
  const { status, fromMs, toMs } = filter;
  const days = await countsOfDays(db, organizationId, {
    status,
    fromDay: fromMs === null ? null : utcDay(fromMs),
    toDay: toMs === null ? null : utcDay(toMs),
  });
  return daySlices(days, filter, status !== null);
}

/** A word may be what a template is called: then its mail is found by it. */
async function withTemplates(db: Sql, organizationId: string, filter: EmailFilter): Promise<EmailFilter> {
  if (filter.search === null) return filter;
  const words = filter.search.map(({ text }) => text);
  const named = await templatesNamed(db, organizationId, words);
  return { ...filter, search: words.map((text, index) => ({ text, templateIds: named[index] ?? [] })) };
}

/** Asked every time: what is left to be indexed differs between cells, and the answer must be complete. */
async function withKeyIndexed(db: Sql, filter: EmailFilter): Promise<EmailFilter> {
  return filter.sentWith === null ? filter : { ...filter, isKeyIndexed: !(await isBackfilling(db)) };
}

/** Which part of the emails match. */
function shareOf(slices: readonly DaySlice[], counts: Counts): number {
  const matches = slices.reduce((sum, slice) => sum + (counts.get(slice) ?? 0), 0);
  return matches / slices.reduce((sum, slice) => sum + slice.emails, 0);
}

function markEvery(filter: EmailFilter): number {
  return isSearch(filter) ? MARK_EVERY_OF_SEARCH : MARK_EVERY;
}

/** What the counters say; undefined where they do not know. */
function knownCount(slice: DaySlice, search: boolean): number | undefined {
  if (slice.ofStatus === 0) return 0;
  return slice.whole && !search ? slice.ofStatus : undefined;
}

/** Both ways find the same. Where matches are dense, the next one is near; where they are rare, the index knows them. */
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
