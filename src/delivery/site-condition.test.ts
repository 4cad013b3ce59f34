import { describe, expect, it } from 'vitest';
import {
  ALL_WELL,
  blocked,
  isAllWell,
  reachable,
  type SiteCondition,
  slowed,
  standingOf,
  suspended,
} from './site-condition.ts';

const MINUTE = 60_000;
const why = { reason: 'connection_refused', detail: 'nobody there' } as const;
const at = (nowMs: number, random = 0.5, speed = 1) => ({ nowMs, random: () => random, speed });

describe('a site that keeps failing', () => {
  it('is blocked, and then probed', () => {
    const condition = blocked(ALL_WELL, why, at(0));
    expect(standingOf(condition, 0)).toBe('blocked');
    expect(standingOf(condition, MINUTE - 1)).toBe('blocked');
    expect(standingOf(condition, MINUTE)).toBe('probing');
    expect(condition).toMatchObject(why);
  });

  it('is blocked for 1, 2, 4, 8, 16 and then always 30 minutes', () => {
    const waits: number[] = [];
    let condition: SiteCondition = ALL_WELL;
    let nowMs = 0;
    for (let i = 0; i < 8; i += 1) {
      condition = blocked(condition, why, at(nowMs));
      waits.push(((condition.blockedUntilMs as number) - nowMs) / MINUTE);
      nowMs = condition.blockedUntilMs as number;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('comes back a fifth sooner or later, so that sites do not come back together', () => {
    expect(blocked(ALL_WELL, why, at(0, 0)).blockedUntilMs).toBeCloseTo(0.8 * MINUTE);
    expect(blocked(ALL_WELL, why, at(0, 0.999)).blockedUntilMs).toBeCloseTo(1.2 * MINUTE, -2);
  });

  it('comes back sooner where the clock of retries runs faster', () => {
    expect(blocked(ALL_WELL, why, at(0, 0.5, 60)).blockedUntilMs).toBe(1000);
  });

  it('starts from one minute again once a delivery has worked', () => {
    const often = blocked(blocked(ALL_WELL, why, at(0)), why, at(0));
    const mended = reachable(often, 10 * MINUTE);
    expect(isAllWell(mended)).toBe(true);
    expect(blocked(mended, why, at(0)).blockedUntilMs).toBe(MINUTE);
  });
});

describe('a site that asks for less', () => {
  it('is slow for 90 minutes, also while it takes mail', () => {
    const slow = slowed(ALL_WELL, why, at(0));
    expect(standingOf(slow, 0)).toBe('slow');
    expect(standingOf(reachable(slow, MINUTE), 89 * MINUTE)).toBe('slow');
    expect(standingOf(slow, 90 * MINUTE)).toBe('open');
    expect(reachable(slow, 90 * MINUTE)).toEqual(ALL_WELL);
  });

  it('is still slow after a block', () => {
    const both = blocked(slowed(ALL_WELL, why, at(0)), why, at(0));
    expect(standingOf(both, 0)).toBe('blocked');
    expect(standingOf(reachable(both, 2 * MINUTE), 2 * MINUTE)).toBe('slow');
  });

  it('may ask for silence', () => {
    const silent = suspended(ALL_WELL, why, 120, at(0));
    expect([standingOf(silent, 119 * MINUTE), standingOf(silent, 120 * MINUTE)]).toEqual([
      'blocked',
      'probing',
    ]);
    expect(blocked(silent, why, at(120 * MINUTE)).blockedUntilMs).toBe(121 * MINUTE);
  });
});

describe('a pause', () => {
  it('comes before everything else, and is not lifted by what workers find out', () => {
    const paused = { ...blocked(ALL_WELL, why, at(0)), paused: true };
    expect(standingOf(paused, 0)).toBe('paused');
    expect(standingOf(reachable(paused, MINUTE), MINUTE)).toBe('paused');
  });
});
