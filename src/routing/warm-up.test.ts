import { describe, expect, it } from 'vitest';
import { allowanceAt, DEFAULT_CURVE, stepAfter, type WarmUpDay } from './warm-up.ts';

const CURVE = [100, 200, 400, 800];
const day = (used: number, more: Partial<WarmUpDay> = {}): WarmUpDay => ({
  ...{ day: '2026-11-17', used, delivered: used, objected: 0, complained: 0, ...more },
});

describe('the step of an address', () => {
  it.each<[string, readonly WarmUpDay[], number]>([
    ['is the first on the first day', [], 0],
    ['rises after every good day', [day(100), day(200)], 2],
    ['stays after a day with little mail', [day(100), day(20)], 1],
    ['stays while receivers object to more than one in twenty', [day(100), day(200, { objected: 12 })], 1],
    ['stays after two complaints in a thousand', [day(100), day(1_000, { complained: 2 })], 1],
    ['goes back after more than three in a thousand', [day(100), day(200), day(1_000, { complained: 4 })], 0],
    [
      'goes back two after a day with objections to one in five',
      [day(100), day(200), day(400, { objected: 90 })],
      0,
    ],
    ['never goes below the first', [day(100, { objected: 100 }), day(100, { objected: 100 })], 0],
    ['rises again after that', [day(100, { objected: 100 }), day(100), day(200)], 2],
  ])('%s', (_, days, step) => {
    expect(stepAfter(CURVE, days)).toBe(step);
  });

  it('is past the curve when the address is warm, and then no limit applies', () => {
    const days = CURVE.map((mails) => day(mails));
    expect(allowanceAt(CURVE, stepAfter(CURVE, days))).toBeNull();
  });

  const WARM = CURVE.map((mails) => day(mails));
  /** A warm address takes nothing from an allowance. */
  const warmDay = (delivered: number, objected: number) => day(0, { delivered, objected });

  it('stays warm if receivers object to few of many emails', () => {
    expect(stepAfter(CURVE, [...WARM, warmDay(50_000, 1)])).toBe(CURVE.length);
    expect(stepAfter(CURVE, [...WARM, warmDay(50_000, 3_000)])).toBe(CURVE.length);
  });

  it('goes back from warm if receivers object to many, however long it was warm', () => {
    const long = Array.from({ length: 30 }, () => warmDay(50_000, 0));
    expect(stepAfter(CURVE, [...WARM, ...long, warmDay(1_000, 1_000)])).toBe(CURVE.length - 2);
  });

  it('never jumps: every step of the default curve is at most double the previous one', () => {
    for (const [index, mails] of DEFAULT_CURVE.entries())
      if (index > 0) expect(mails).toBeLessThanOrEqual(2 * (DEFAULT_CURVE[index - 1] ?? 0));
  });
});
