import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDay, parseMoment } from './timestamp.ts';

describe('a moment', () => {
  it('is UTC without an offset', () => {
    expect(parseMoment('2027-01-31T08:00:00')).toBe(Date.UTC(2027, 0, 31, 8));
  });

  it('accepts an offset', () => {
    expect(parseMoment('2027-01-31T08:00:00+02:00')).toBe(Date.UTC(2027, 0, 31, 6));
    expect(parseMoment('2027-01-31T08:00-0530')).toBe(Date.UTC(2027, 0, 31, 13, 30));
  });

  it.each([
    'tomorrow',
    '2027-01-31',
    '2027-02-30T08:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-31T24:00:00Z',
    '2027-01-31T08:60:00Z',
    '2027-01-31T08:00:00+25:00',
    ' 2027-01-31T08:00:00Z',
    '1800000000',
    '',
  ])('is not %j', (text) => {
    expect(parseMoment(text)).toBeNull();
  });

  it('parses every timestamp that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
        expect(parseMoment(new Date(ms).toISOString())).toBe(ms);
      }),
    );
  });
});

describe('a day', () => {
  it('runs from its first to its last millisecond', () => {
    expect(parseDay('2026-02-28')).toEqual({
      firstMs: Date.UTC(2026, 1, 28),
      lastMs: Date.UTC(2026, 2, 1) - 1,
    });
    expect(parseDay('2026-02-29')).toBeNull();
  });
});
