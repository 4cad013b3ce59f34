/**
 * The newest matches of a search, and the people whom it is about, without totals. A search that matches much finds enough among
 * the newest emails. Otherwise older mail is read through the search index, a span of days at a time, until the caller has
 * enough or the time is over.
 */
import type { Sql } from '../../database/sql.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { slicesIn, withTemplates } from './email-lists.ts';
import { type DaySlice, runsOf, type Span } from './list-window.ts';
import {
  type EmailFilter,
  type EmailItemRow,
  type Person,
  selectAmongNewest,
  selectPage,
  selectPeople,
} from './store-list.ts';

/** Emails that are looked at one by one, the newest of all. */
const WALKED = 2_000;
/** Emails of the first span, and of each other. A search that matches few of them reads few. */
const FIRST_SPAN = 20_000;
const SPAN = 200_000;

export interface MatchQuery {
  readonly db: Sql;
  readonly organizationId: string;
  readonly filter: EmailFilter;
  readonly isOver: () => boolean;
}

/** `complete` is false if the time was over before all mail was searched. */
export async function newestMatches(
  query: MatchQuery,
  limit: number,
): Promise<{ readonly rows: EmailItemRow[]; readonly complete: boolean }> {
  const { db, organizationId } = query;
  const filter = await withTemplates(db, organizationId, query.filter);
  const newest = await selectAmongNewest(db, organizationId, filter, { among: WALKED, limit });
  if (newest.length >= limit) return { rows: newest, complete: true };
  const rows: EmailItemRow[] = [];
  const complete = await readSpans({ ...query, filter }, async (span) => {
    const page = { ...span, beforeId: null, order: 'newest first', offset: 0, by: 'index' } as const;
    rows.push(...(await selectPage(db, organizationId, filter, { ...page, limit: limit - rows.length })));
    return rows.length < limit;
  });
  return { rows: rows.length > newest.length ? rows : newest, complete };
}

/** Recipients whose name or address has all the words, the newest mail first. */
export async function peopleMatching(
  query: MatchQuery,
  words: readonly string[],
  limit: number,
): Promise<{ readonly people: Person[]; readonly complete: boolean }> {
  const { db, organizationId, filter } = query;
  const people = new Map<string, Person>();
  const complete = await readSpans(query, async (span) => {
    const found = await selectPeople(db, organizationId, filter, { ...span, words, limit });
    for (const person of found) {
      const address = person.email.toLowerCase();
      if (!people.has(address)) people.set(address, person);
    }
    return people.size < limit;
  });
  return { people: [...people.values()].slice(0, limit), complete: complete && people.size < limit };
}

/** Calls `read` for each span, newest first, for as long as it returns true. False if the time was over first. */
async function readSpans(
  { db, organizationId, filter, isOver }: MatchQuery,
  read: (span: Span) => Promise<boolean>,
): Promise<boolean> {
  try {
    const slices = await slicesIn(db, organizationId, filter);
    const [first = []] = runsOf(slices, slices, FIRST_SPAN);
    const rest = slices.slice(first.length);
    for (const run of [first, ...runsOf(rest, rest, SPAN)]) {
      if (run.length === 0) continue;
      if (isOver()) return false;
      if (!(await read(spanOf(run)))) return true;
    }
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'UNAVAILABLE') return false;
    throw error;
  }
}

function spanOf(run: readonly DaySlice[]): Span {
  const [newest, oldest] = [run[0], run.at(-1)] as [DaySlice, DaySlice];
  return { fromMs: oldest.fromMs, beforeMs: newest.beforeMs };
}
