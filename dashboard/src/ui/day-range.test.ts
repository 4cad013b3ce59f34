import { afterEach, describe, expect, it } from 'vitest';
import { momentsOf } from './day-range.tsx';

const zone = process.env.TZ;
afterEach(() => {
  process.env.TZ = zone;
});

describe('days of the viewer', () => {
  it('begin and end at their midnight, also when the clocks change', () => {
    process.env.TZ = 'Europe/Berlin';
    expect(momentsOf({ from_date: '2026-10-25', to_date: '2026-10-25' })).toEqual({
      from_date: '2026-10-24T22:00:00.000Z',
      to_date: '2026-10-25T22:59:59.999Z',
    });
    process.env.TZ = 'America/Los_Angeles';
    expect(momentsOf({ from_date: '2026-12-31' })).toEqual({ from_date: '2026-12-31T08:00:00.000Z' });
  });

  it('are left alone where they are moments', () => {
    expect(momentsOf({ from_date: '2026-11-16T10:00:00.000Z' })).toEqual({
      from_date: '2026-11-16T10:00:00.000Z',
    });
    expect(momentsOf({})).toEqual({});
  });
});
