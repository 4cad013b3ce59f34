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

  it('are counted back from today for a period, also when the clocks change', () => {
    process.env.TZ = 'Europe/Berlin';
    const now = new Date('2026-10-26T23:30:00Z');
    expect(momentsOf({ period: 'today' }, now)).toEqual({ from_date: '2026-10-26T23:00:00.000Z' });
    expect(momentsOf({ period: 'yesterday' }, now)).toEqual({
      from_date: '2026-10-25T23:00:00.000Z',
      to_date: '2026-10-26T22:59:59.999Z',
    });
    expect(momentsOf({ period: '7d' }, now)).toEqual({ from_date: '2026-10-20T22:00:00.000Z' });
    expect(momentsOf({ period: '30d', from_date: '2026-01-01' }, now)).toEqual({
      from_date: '2026-09-27T22:00:00.000Z',
    });
  });

  it('are those that were chosen where the period is unknown', () => {
    process.env.TZ = 'UTC';
    expect(momentsOf({ period: 'constructor', from_date: '2026-01-01' })).toEqual({
      from_date: '2026-01-01T00:00:00.000Z',
    });
  });

  it('are left alone where they are moments', () => {
    expect(momentsOf({ from_date: '2026-11-16T10:00:00.000Z' })).toEqual({
      from_date: '2026-11-16T10:00:00.000Z',
    });
    expect(momentsOf({})).toEqual({});
  });
});
