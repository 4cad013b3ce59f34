import { describe, expect, it } from 'vitest';
import {
  curveAdvice,
  curveWords,
  EMPTY_SOURCE,
  isReadable,
  isUsual,
  newWarmUp,
  sourceForm,
  unreadableDays,
  wantedSource,
} from './source-form.ts';

const usual = { curve: [50, 100], curves: { yahoo: [25, 50] } };

describe('a source address in a form', () => {
  it('is sent as it was read', () => {
    const warm_up = { since: '2026-11-17', over: 'wait' as const, curve: [10, 20], curves: { google: [5] } };
    const source = {
      address: '192.0.2.7',
      ehlo_name: 'out7.example.org',
      weight: 3,
      connections: 10,
      warm_up,
    };
    expect(wantedSource(sourceForm({ ...source, workers: 1, held_up: [] }))).toEqual(source);
  });

  it('needs no more than the address', () => {
    expect(wantedSource({ ...EMPTY_SOURCE, address: ' 192.0.2.7 ' })).toEqual({
      ...{ address: '192.0.2.7', ehlo_name: null, weight: 1, connections: null, warm_up: null },
    });
  });

  it('is warmed up by the usual curves from today on, until others are wanted', () => {
    const warmUp = newWarmUp(usual, new Date('2026-11-17T23:59:00Z'));
    expect(wantedSource({ ...EMPTY_SOURCE, address: '192.0.2.7', warmUp }).warm_up).toEqual({
      ...{ since: '2026-11-17', over: 'fallback' },
      ...usual,
    });
    expect(isUsual(warmUp.curves, usual)).toBe(true);
    expect(isUsual(warmUp.curves.slice(0, 1), usual)).toBe(false);
  });
});

describe('a curve in a form', () => {
  it('is not sent while a day of it is no number of mails', () => {
    expect(unreadableDays(['50', '', '0', '1.5', '1e3', ' 7 ', '100000001'])).toEqual([1, 2, 3, 4, 6]);
    const warmUp = { since: '2026-11-17', over: 'wait' as const, curves: [{ provider: null, days: ['x'] }] };
    expect(isReadable({ ...EMPTY_SOURCE, warmUp })).toBe(false);
    expect(isReadable(EMPTY_SOURCE)).toBe(true);
  });

  it('is told about days that fall or jump, and about the first of them', () => {
    expect(curveAdvice([50, 100, 200])).toBeNull();
    expect(curveAdvice([50, 101, 20])).toContain('Day 2 has more than twice');
    expect(curveAdvice([50, 40])).toBe('Day 2 has less than the day before.');
  });

  it('is told in a few words', () => {
    expect(curveWords([50])).toBe('50 emails in 1 day');
    expect(curveWords([50, 100, 150, 250, 400, 100_000])).toBe('50, 100, 150 … 100,000 emails in 6 days');
  });
});
