import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIsoTime } from './iso-time.ts';

describe('parseIsoTime', () => {
  it('reads back every moment that JavaScript writes', () => {
    const inYears = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
    fc.assert(
      fc.property(fc.date({ ...inYears, noInvalidDate: true }), (date) => {
        expect(parseIsoTime(date.toISOString())).toEqual({ ms: date.getTime(), isDate: false });
      }),
    );
  });

  it('takes a bare date as its first millisecond', () => {
    expect(parseIsoTime('2026-02-28')).toEqual({ ms: Date.UTC(2026, 1, 28), isDate: true });
  });

  it('takes a time without an offset as UTC', () => {
    expect(parseIsoTime('2026-01-02T03:04')?.ms).toBe(Date.UTC(2026, 0, 2, 3, 4));
  });

  it('applies an offset', () => {
    expect(parseIsoTime('2026-01-02T03:04:05+05:30')?.ms).toBe(Date.parse('2026-01-01T21:34:05Z'));
    expect(parseIsoTime('2026-01-02T03:04:05-0200')?.ms).toBe(Date.parse('2026-01-02T05:04:05Z'));
  });

  it.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-01T24:00',
    '2026-01-01T10:60',
    '2026-01-01T10:00+24:00',
    '2026-1-1',
    'tomorrow',
    '1700000000',
    '2026-01-01T',
    '2026-01-01\n',
    '',
  ])('refuses %j', (text) => {
    expect(parseIsoTime(text)).toBeUndefined();
  });
});
