import { describe, expect, it } from 'vitest';
import { OVERLAPS, worksUntil } from './overlap.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

describe('how long an old key works', () => {
  it('is counted from now', () => {
    expect(worksUntil('1', '', NOW)).toBe('2026-11-15T13:00:00.000Z');
    expect(worksUntil('168', '', NOW)).toBe('2026-11-22T12:00:00.000Z');
  });

  it('is what somebody chose, in their own time zone', () => {
    expect(worksUntil('own', '2026-12-24T18:30', NOW)).toBe(new Date('2026-12-24T18:30').toISOString());
    expect(worksUntil('own', '', NOW)).toBeUndefined();
  });

  it('is a number of hours in every choice but that of one’s own', () => {
    expect(OVERLAPS.filter(({ key }) => key !== 'own').every(({ key }) => Number(key) > 0)).toBe(true);
  });
});
