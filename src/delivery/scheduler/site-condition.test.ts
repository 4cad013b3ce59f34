import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SLOWEST_PACE } from './rate-limit.ts';
import {
  ALL_WELL,
  blocked,
  cleared,
  EASE_AFTER_MESSAGES,
  EASE_AFTER_MS,
  eased,
  isAllWell,
  narrowed,
  reachable,
  type SiteCondition,
  siteStateOf,
  slowed,
  suspended,
  WIDEN_AFTER_MS,
  widened,
} from './site-condition.ts';

const MINUTE = 60_000;
const why = { reason: 'connection_refused', detail: 'nobody there' } as const;
const less = { reason: 'rate_limited', detail: 'too much mail' } as const;
const at = (nowMs: number, random = 0.5, speed = 1) => ({ nowMs, random: () => random, speed });

/** Traffic of a site that was sent `sent` messages in the last minute and accepted none. */
const got = (sent: number) => ({ sent, took: 0, takenSince: 0 });
const taken = (takenSince: number) => ({ sent: 0, took: 0, takenSince });

describe('a site that keeps failing', () => {
  it('is blocked, then probed', () => {
    const condition = blocked(ALL_WELL, why, at(0));
    expect(siteStateOf(condition, 0)).toBe('blocked');
    expect(siteStateOf(condition, MINUTE - 1)).toBe('blocked');
    expect(siteStateOf(condition, MINUTE)).toBe('probing');
    expect(condition.block).toMatchObject(why);
  });

  it('is blocked for 1, 2, 4, 8, 16 and then always 30 minutes, and keeps the time of the first block', () => {
    const waits: number[] = [];
    let condition: SiteCondition = ALL_WELL;
    let nowMs = 5;
    for (let i = 0; i < 8; i += 1) {
      condition = blocked(condition, why, at(nowMs));
      waits.push(((condition.block?.untilMs ?? 0) - nowMs) / MINUTE);
      nowMs = condition.block?.untilMs ?? 0;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect(condition.block?.sinceMs).toBe(5);
  });

  it('is blocked for a time with 20% jitter, so that sites do not return together', () => {
    expect(blocked(ALL_WELL, why, at(0, 0)).block?.untilMs).toBeCloseTo(0.8 * MINUTE);
    expect(blocked(ALL_WELL, why, at(0, 0.999)).block?.untilMs).toBeCloseTo(1.2 * MINUTE, -2);
  });

  it('is blocked for a shorter time where retries run faster', () => {
    expect(blocked(ALL_WELL, why, at(0, 0.5, 60)).block?.untilMs).toBe(1000);
  });

  it('is blocked for one minute again after a delivery succeeded', () => {
    const often = blocked(blocked(ALL_WELL, why, at(0)), why, at(0));
    const mended = reachable(often);
    expect(isAllWell(mended)).toBe(true);
    expect(blocked(mended, why, at(0)).block?.untilMs).toBe(MINUTE);
  });

  it('is blocked for the time that its replies ask for', () => {
    const silent = suspended(ALL_WELL, why, 120, at(0));
    expect([siteStateOf(silent, 119 * MINUTE), siteStateOf(silent, 120 * MINUTE)]).toEqual([
      'blocked',
      'probing',
    ]);
    expect(blocked(silent, why, at(120 * MINUTE)).block?.untilMs).toBe(121 * MINUTE);
  });
});

describe('a site that asks for less mail', () => {
  it('gets half its pace, then half again, and never less than one message a minute', () => {
    const paces: (number | undefined)[] = [];
    let condition: SiteCondition = ALL_WELL;
    for (let i = 0; i < 6; i += 1) {
      condition = slowed(condition, less, got(20), at(i));
      paces.push(condition.slow?.pace);
    }
    expect(paces).toEqual([10, 5, 2.5, 1.25, SLOWEST_PACE, SLOWEST_PACE]);
    expect(condition.slow).toMatchObject({ ...less, fullPace: 20, sinceMs: 0, changedMs: 5 });
  });

  it('gets twice the pace after it accepted mail for a while, and is open at its former pace', () => {
    const quarter = slowed(slowed(ALL_WELL, less, got(100), at(0)), less, got(100), at(0));
    const half = eased(quarter, taken(EASE_AFTER_MESSAGES), at(EASE_AFTER_MS));
    expect(half.slow).toMatchObject({ pace: 50, changedMs: EASE_AFTER_MS });
    expect(eased(half, taken(EASE_AFTER_MESSAGES), at(2 * EASE_AFTER_MS))).toEqual(ALL_WELL);
  });

  it('gets no higher pace after one or two messages, or within seconds', () => {
    const slow = slowed(ALL_WELL, less, got(100), at(0));
    expect(eased(slow, taken(EASE_AFTER_MESSAGES - 1), at(MINUTE))).toBe(slow);
    expect(eased(slow, taken(100), at(EASE_AFTER_MS - 1))).toBe(slow);
  });

  it('is open after minutes of success, however low its pace was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 40 }), (sent, steps) => {
        let condition: SiteCondition = ALL_WELL;
        for (let i = 0; i < steps; i += 1) condition = slowed(condition, less, got(sent), at(0));
        let minutes = 0;
        while (condition.slow !== null) {
          // Time for the number of messages that raises the pace.
          const waitMs = Math.max(EASE_AFTER_MS, (EASE_AFTER_MESSAGES * MINUTE) / condition.slow.pace);
          minutes += waitMs / MINUTE;
          condition = eased(condition, taken(EASE_AFTER_MESSAGES), at(minutes * MINUTE));
        }
        return minutes <= 15 && isAllWell(condition);
      }),
    );
  });

  it('is still slow after a block', () => {
    const both = blocked(slowed(ALL_WELL, less, got(100), at(0)), why, at(0));
    expect(siteStateOf(both, 0)).toBe('blocked');
    expect(siteStateOf(reachable(both), 2 * MINUTE)).toBe('slow');
  });
});

describe('a site that limits our connections', () => {
  it('gets fewer connections and stays open', () => {
    const narrow = narrowed(ALL_WELL, less, 3, at(0));
    expect(narrow.narrow).toMatchObject({ connections: 3, ...less });
    expect(siteStateOf(narrow, 0)).toBe('open');
    expect(narrowed(narrow, less, 0, at(1)).narrow?.connections).toBe(1);
  });

  it('gets one more connection after some minutes, up to its limit', () => {
    const narrow = narrowed(ALL_WELL, less, 3, at(0));
    expect(widened(narrow, 5, at(WIDEN_AFTER_MS - 1))).toBe(narrow);
    const four = widened(narrow, 5, at(WIDEN_AFTER_MS));
    expect(four.narrow?.connections).toBe(4);
    expect(widened(four, 5, at(2 * WIDEN_AFTER_MS))).toEqual(ALL_WELL);
  });
});

describe('a pause', () => {
  it('takes precedence over every other state, and is not ended by workers', () => {
    const paused = { ...blocked(ALL_WELL, why, at(0)), paused: true };
    expect(siteStateOf(paused, 0)).toBe('paused');
    expect(siteStateOf(reachable(paused), MINUTE)).toBe('paused');
    expect(cleared(paused)).toEqual({ ...ALL_WELL, paused: true });
  });
});
