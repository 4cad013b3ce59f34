/**
 * Computes which days a page of a list covers. Counts per day show the days of its emails and how many to skip there, so that
 * page ten thousand costs as much as page one. Pure.
 */

import type { DayCount } from '../../counters/email-counts.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { uuidv7Floor } from '../../runtime/ids.ts';

/** A span of time, as the ids of emails accepted in it: from (inclusive) and before (exclusive). */
export interface Span {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** One day's part of a list. */
export interface DaySlice extends Span {
  readonly day: string;
  readonly whole: boolean;
  /** The number of emails on the day, and of those with the wanted status. */
  readonly emails: number;
  readonly ofStatus: number;
  /** Changes whenever the count might. */
  readonly stamp: string;
}

/** Both ends inclusive; null is unbounded. */
interface TimeRange {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Newest first, like the days. */
export function daySlices(days: readonly DayCount[], range: TimeRange, byStatus: boolean): DaySlice[] {
  return days.flatMap(({ day, emails, matching, accepted, removed, version }) => {
    const startMs = Date.parse(`${day}T00:00:00Z`);
    const endMs = startMs + DAY_MS;
    const fromMs = Math.max(startMs, range.fromMs ?? startMs);
    const beforeMs = Math.min(endMs, range.toMs === null ? endMs : range.toMs + 1);
    if (fromMs >= beforeMs) return [];
    const whole = fromMs === startMs && beforeMs === endMs;
    // An email's searchable fields never change; only its status does.
    const stamp = byStatus ? `v${version}` : `${accepted}-${removed}`;
    return [{ day, fromMs, beforeMs, whole, emails, ofStatus: matching, stamp }];
  });
}

export interface CountedSlice {
  readonly slice: DaySlice;
  readonly count: number;
}

/** A page's position in the days that contain it. */
export interface PagePosition extends Span {
  /** The newest day of the page. */
  readonly slice: DaySlice;
  /** How many matches of these days precede the page, and how many follow it. */
  readonly skip: number;
  readonly skipBack: number;
  readonly take: number;
  /** The number of emails from the first of these days to the last, and of matches. */
  readonly emails: number;
  readonly matches: number;
}

/** Null if the page is past the end. */
export function locate(
  counted: readonly CountedSlice[],
  page: { readonly offset: number; readonly limit: number },
): PagePosition | null {
  const end = page.offset + page.limit;
  let [before, passed, emails, between] = [0, 0, 0, 0];
  let first: DaySlice | undefined;
  let last: DaySlice | undefined;
  for (const { slice, count } of counted) {
    if (before >= end) break;
    before += count;
    // Days without a match are skipped on the way to the next one.
    if (first !== undefined) between += slice.emails;
    if (before <= page.offset) passed = before;
    else if (count > 0) {
      emails += first === undefined ? slice.emails : between;
      between = 0;
      first ??= slice;
      last = slice;
    }
  }
  if (first === undefined || last === undefined) return null;
  return {
    slice: first,
    fromMs: last.fromMs,
    beforeMs: first.beforeMs,
    skip: page.offset - passed,
    skipBack: Math.max(0, before - end),
    take: Math.min(before, end) - page.offset,
    emails,
    matches: before - passed,
  };
}

/** Groups adjacent days to be counted together, with at most `maxEmails` each, unless it is a single day. */
export function runsOf(
  slices: readonly DaySlice[],
  all: readonly DaySlice[],
  maxEmails: number,
): DaySlice[][] {
  const wanted = new Set(slices);
  const runs: DaySlice[][] = [];
  let run: DaySlice[] = [];
  let emails = 0;
  for (const slice of all) {
    const fits = wanted.has(slice) && emails + slice.emails <= maxEmails;
    if (!fits && run.length > 0) {
      runs.push(run);
      run = [];
      emails = 0;
    }
    if (!wanted.has(slice)) continue;
    run.push(slice);
    emails += slice.emails;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

/** The range of ids in a time span: from (inclusive) and before (exclusive). */
export function idsOf({ fromMs, beforeMs }: Span): { readonly from: string; readonly before: string } {
  return { from: uuidv7Floor(fromMs), before: uuidv7Floor(beforeMs) };
}
