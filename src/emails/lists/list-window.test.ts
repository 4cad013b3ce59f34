import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DayCount } from '../../counters/email-counts.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { type DaySlice, daySlices, locate, runsOf } from './list-window.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const dayAt = (n: number) => new Date(START + n * DAY_MS).toISOString().slice(0, 10);

function dayCount(n: number, changes: Partial<DayCount> = {}): DayCount {
  return { day: dayAt(n), emails: 10, matching: 4, accepted: 12, removed: 2, version: 30, ...changes };
}

function slice(n: number, emails = 10): DaySlice {
  return daySlices([dayCount(n, { emails })], { fromMs: null, toMs: null }, false)[0] as DaySlice;
}

describe('the days of a list', () => {
  const days = [dayCount(2), dayCount(1), dayCount(0)];

  it('are whole if no range cuts them', () => {
    const slices = daySlices(days, { fromMs: null, toMs: null }, false);
    expect(slices.map(({ day, whole }) => [day, whole])).toEqual(days.map(({ day }) => [day, true]));
    expect(slices[2]).toMatchObject({ fromMs: START, beforeMs: START + DAY_MS });
  });

  it('are whole if a range ends on their borders', () => {
    const slices = daySlices(days, { fromMs: START, toMs: START + 3 * DAY_MS - 1 }, false);
    expect(slices.map(({ whole }) => whole)).toEqual([true, true, true]);
  });

  it('are cut by a range that ends inside them', () => {
    const slices = daySlices(days, { fromMs: START + 1, toMs: START + 2 * DAY_MS }, false);
    expect(slices.map(({ whole, fromMs, beforeMs }) => [whole, fromMs - START, beforeMs - START])).toEqual([
      [false, 2 * DAY_MS, 2 * DAY_MS + 1],
      [true, DAY_MS, 2 * DAY_MS],
      [false, 1, DAY_MS],
    ]);
  });

  it('are left out if the range has no part of them', () => {
    expect(daySlices(days, { fromMs: START + 5, toMs: START + 4 }, false)).toEqual([]);
  });

  it('change their stamp when emails are added or removed, on which a list by text depends', () => {
    const stamp = (changes: Partial<DayCount>, byStatus: boolean) =>
      daySlices([dayCount(0, changes)], { fromMs: null, toMs: null }, byStatus)[0]?.stamp;
    expect(stamp({ version: 31 }, false)).toBe(stamp({}, false));
    expect(stamp({ accepted: 13 }, false)).not.toBe(stamp({}, false));
    expect(stamp({ removed: 3 }, false)).not.toBe(stamp({}, false));
    expect(stamp({ version: 31 }, true)).not.toBe(stamp({}, true));
  });
});

describe('a page', () => {
  const counts = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 12 });
  const page = fc.record({ offset: fc.nat({ max: 60 }), limit: fc.integer({ min: 1, max: 20 }) });

  it('is found where a list of all emails has it', () => {
    fc.assert(
      fc.property(counts, page, (perDay, wanted) => {
        const counted = perDay.map((count, n) => ({ slice: slice(100 - n), count }));
        const all = counted.flatMap(({ slice: one, count }) =>
          Array.from({ length: count }, (_, nth) => `${one.day} ${nth}`),
        );
        const place = locate(counted, wanted);
        const held = counted.filter(
          ({ slice: one }) => place && one.fromMs >= place.fromMs && one.beforeMs <= place.beforeMs,
        );
        const inside = held.flatMap(({ slice: one, count }) =>
          Array.from({ length: count }, (_, nth) => `${one.day} ${nth}`),
        );
        const forward = place ? inside.slice(place.skip, place.skip + place.take) : [];
        const backward = place
          ? inside.slice(-place.skipBack - place.take, inside.length - place.skipBack)
          : [];
        expect(forward).toEqual(all.slice(wanted.offset, wanted.offset + wanted.limit));
        expect(backward).toEqual(forward);
        expect(place?.matches ?? inside.length).toBe(inside.length);
      }),
    );
  });

  it('begins on the given day, and skips no more than that day has', () => {
    fc.assert(
      fc.property(counts, page, (perDay, wanted) => {
        const counted = perDay.map((count, n) => ({ slice: slice(100 - n), count }));
        const place = locate(counted, wanted);
        if (place === null) return;
        const first = counted.find((one) => one.slice === place.slice);
        expect(place.skip).toBeLessThan(first?.count ?? 0);
      }),
    );
  });

  it('includes how many emails lie between its first and its last one', () => {
    const counts = [0, 1, 0, 0, 1, 0];
    const counted = counts.map((count, n) => ({ slice: slice(100 - n, 10 ** n), count }));
    expect(locate(counted, { offset: 0, limit: 20 })).toMatchObject({ emails: 11_110, matches: 2 });
    expect(locate(counted, { offset: 1, limit: 1 })).toMatchObject({ emails: 10_000, matches: 1 });
  });

  it('does not exist past the end', () => {
    expect(locate([{ slice: slice(0), count: 3 }], { offset: 3, limit: 20 })).toBeNull();
    expect(locate([], { offset: 0, limit: 20 })).toBeNull();
  });
});

describe('days that are counted together', () => {
  const all = [5, 4, 3, 2, 1, 0].map((n) => slice(n));

  it('are adjacent', () => {
    const wanted = all.filter((_, index) => index !== 2);
    expect(runsOf(wanted, all, 1_000)).toEqual([all.slice(0, 2), all.slice(3)]);
  });

  it('have no more emails than one statement may scan', () => {
    expect(runsOf(all, all, 25).map((run) => run.length)).toEqual([2, 2, 2]);
  });

  it('are a single day if that day alone is too large', () => {
    const large = [slice(1, 5_000), slice(0, 10)];
    expect(runsOf(large, large, 100)).toEqual([[large[0]], [large[1]]]);
  });
});
