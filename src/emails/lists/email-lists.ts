/**
 * The list of emails: exact totals, and pages that cost the same however many emails there are.
 *
 * Counters know how many emails of each status each day holds. That is the total of a list by status and days, and
 * it says on which day a page begins. What counters do not know (a search, a part of a day) is counted per day and
 * remembered together with the day's stamp, which changes whenever the count might (see stats/email-counts.ts): only
 * days that changed are counted again. Within a day of many emails, one in MARK_EVERY is remembered in the same way.
 *
 * It owns what is remembered: at most MAX_CELLS numbers and ids in all, least recently used lists go first. Nothing
 * depends on it but speed; other processes have their own.
 */

import type { Reads } from '../../kit/database/reads.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { utcDay } from '../../kit/runtime/moment.ts';
import { ServiceError } from '../../kit/service-error.ts';
import { countsOfDays } from '../../stats/email-counts.ts';
import { ListMemory, type Remembered } from './list-memory.ts';
import {
  type CountedSlice,
  type DaySlice,
  daySlices,
  locate,
  type PagePosition,
  runsOf,
} from './list-window.ts';
import {
  countPerDay,
  countWithin,
  type EmailFilter,
  type EmailItemRow,
  isSearch,
  selectMarks,
  selectPage,
} from './store-list.ts';

/** As many emails as one statement looks through when none of an index helps: far from what a read may take. */
const MAX_EMAILS_PER_COUNT = 200_000;
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
  readonly remembered: Remembered;
}

type Counts = Map<DaySlice, number>;

export class EmailLists {
  readonly #reads: Reads;
  readonly #memory = new ListMemory();

  constructor(reads: Reads) {
    this.#reads = reads;
  }

  async page(
    organizationId: string,
    filter: EmailFilter,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<{ rows: EmailItemRow[]; total: number }> {
    const db = this.#reads.of(organizationId);
    const slices = await slicesIn(db, organizationId, filter);
    return this.#memory.with(organizationId, filter, async (remembered) => {
      const asked = { db, organizationId, filter, remembered };
      const counted = await this.#count(asked, slices);
      const total = counted.reduce((sum, { count }) => sum + count, 0);
      const place = locate(counted, { offset: (page - 1) * limit, limit });
      return { total, rows: place === null ? [] : await this.#read(asked, place) };
    });
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

  async #search(
    { db, organizationId, filter, remembered }: Asked,
    unknown: readonly DaySlice[],
    all: readonly DaySlice[],
    counts: Counts,
  ): Promise<void> {
    const deadline = performance.now() + MAX_COUNTING_MS;
    for (const run of runsOf(unknown, all, MAX_EMAILS_PER_COUNT)) {
      if (performance.now() > deadline)
        throw new ServiceError('UNAVAILABLE', undefined, { retryAfterSeconds: COUNTING_RETRY_SECONDS });
      const [newest, oldest] = [run[0], run.at(-1)] as [DaySlice, DaySlice];
      const span = { fromMs: oldest.fromMs, beforeMs: newest.beforeMs };
      const found = await countPerDay(db, organizationId, filter, span);
      for (const slice of run) {
        const count = found.get(slice.day) ?? 0;
        counts.set(slice, count);
        if (slice.whole) remembered.keepCount(slice, count);
      }
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

function markEvery(filter: EmailFilter): number {
  return isSearch(filter) ? MARK_EVERY_OF_SEARCH : MARK_EVERY;
}

/** What the counters say; undefined where they do not know. */
function knownCount(slice: DaySlice, search: boolean): number | undefined {
  if (slice.ofStatus === 0) return 0;
  return slice.whole && !search ? slice.ofStatus : undefined;
}

/** Both ways find the same. Where matches are dense, the next one is near; where they are rare, the index knows them. */
function accessTo(
  filter: EmailFilter,
  { skip, skipBack, take, emails, matches }: PagePosition,
): 'index' | 'walk' {
  if (!isSearch(filter)) return 'walk';
  const walked = (Math.min(skip % MARK_EVERY_OF_SEARCH, skipBack) + take) * (emails / matches);
  return walked <= Math.max(SHORT_WALK, matches) ? 'walk' : 'index';
}
