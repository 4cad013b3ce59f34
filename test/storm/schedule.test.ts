import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, type ScheduleOptions, scheduleOf } from './schedule.ts';

const options: ScheduleOptions = {
  seed: 7,
  forMs: 1_200_000,
  kinds: new Set(FAULT_KINDS),
  killEveryMs: 1_700,
  sessionEveryMs: 6_000,
  freezeEveryMs: 10_000,
  pastLeaseEveryMs: 60_000,
  longestFreezeMs: 30_000,
};

describe('the schedule of a storm', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(scheduleOf(options)).toEqual(scheduleOf(options));
    expect(scheduleOf({ ...options, seed: 8 })).not.toEqual(scheduleOf(options));
  });

  it('has every kind that was asked for, in the order of time, and no other', () => {
    const schedule = scheduleOf(options);
    expect(new Set(schedule.map(({ kind }) => kind))).toEqual(
      new Set(FAULT_KINDS.filter((kind) => !kind.startsWith('sink-'))),
    );
    expect(schedule.map(({ atMs }) => atMs)).toEqual(
      schedule.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
    );
    const few = scheduleOf({ ...options, kinds: new Set(['kill-api', 'freeze-worker']) });
    expect(new Set(few.map(({ kind }) => kind))).toEqual(new Set(['kill-api', 'freeze-worker']));
  });

  it('kills more than six hundred times in twenty minutes, and freezes for a second to thirty', () => {
    const schedule = scheduleOf(options);
    expect(schedule.filter(({ kind }) => kind.startsWith('kill-')).length).toBeGreaterThan(600);
    const freezes = schedule.filter(({ kind, atMs }) => kind.startsWith('freeze-') && atMs < 1_000_000);
    expect(freezes.every(({ forMs }) => forMs >= 1_000 && forMs <= 30_000)).toBe(true);
    expect(freezes.some(({ forMs }) => forMs > 20_000)).toBe(true);
  });
});
