import { describe, expect, it } from 'vitest';
import { Random } from '../fuzz/random.ts';
import { type Bound, judge, type Series } from './judge.ts';

const TEN_PERCENT: Bound = { kind: 'rise-percent', most: 10 };
const random = new Random(15);

/** An hour of samples, one every ten seconds. */
function series(bound: Bound, valueAt: (minute: number) => number): Series {
  const points = Array.from({ length: 361 }, (_, i) => ({ atS: i * 10, value: valueAt(i / 6) }));
  return { name: 'memory', unit: 'MB', bound, points };
}

function noise(size: number): number {
  return (random.next() - 0.5) * 2 * size;
}

describe('the judge of a soak', () => {
  it('finds a flat series flat, however noisy', () => {
    const judged = judge(series(TEN_PERCENT, () => 200 + noise(60)));
    expect(judged).toMatchObject({ isFlat: true });
    expect(Math.abs(judged.late - judged.early)).toBeLessThan(20);
  });

  it('finds a slow leak under the same noise', () => {
    const judged = judge(series(TEN_PERCENT, (minute) => 200 + minute + noise(60)));
    expect(judged.isFlat).toBe(false);
    expect(judged.perHour).toBeGreaterThan(40);
    expect(judged.perHour).toBeLessThan(80);
  });

  it('finds a step that stays', () => {
    expect(judge(series(TEN_PERCENT, (minute) => (minute < 40 ? 200 : 240))).isFlat).toBe(false);
  });

  it('does not count the warm-up', () => {
    expect(judge(series(TEN_PERCENT, (minute) => 200 + Math.min(minute, 14) * 20)).isFlat).toBe(true);
  });

  it('does not take five busy minutes at the end for a leak', () => {
    const busy = series(TEN_PERCENT, (minute) => (minute > 50 && minute < 55 ? 900 : 200 + noise(5)));
    expect(judge(busy).isFlat).toBe(true);
  });

  it('does not call a series that falls a leak', () => {
    expect(judge(series(TEN_PERCENT, (minute) => 400 - minute)).isFlat).toBe(true);
  });

  it('holds a rise against a bound in the unit of the series', () => {
    const handles = (more: number) =>
      series({ kind: 'rise', most: 5 }, (minute) => 60 + (minute / 30) * more);
    expect(judge(handles(4)).isFlat).toBe(true);
    expect(judge(handles(6)).isFlat).toBe(false);
  });

  it('counts any rise from nothing as too much in percent', () => {
    expect(judge(series(TEN_PERCENT, (minute) => Math.max(0, minute - 40))).isFlat).toBe(false);
    expect(judge(series(TEN_PERCENT, () => 0)).isFlat).toBe(true);
  });

  it('holds the largest value of the last quarter against a ceiling', () => {
    const ceiling: Bound = { kind: 'at-most', most: 100 };
    expect(judge(series(ceiling, (minute) => (minute === 50 ? 101 : 1))).isFlat).toBe(false);
    expect(judge(series(ceiling, (minute) => (minute === 20 ? 101 : 1))).isFlat).toBe(true);
  });

  it('says so when there is too little to judge', () => {
    const { points, ...rest } = series(TEN_PERCENT, () => 1);
    expect(() => judge({ ...rest, points: points.slice(0, 12) })).toThrow('too few');
  });
});
