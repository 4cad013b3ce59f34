import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MinuteCount, Pacer } from './pacer.ts';

const MINUTE = 60_000;

describe('a slow site', () => {
  it('gets nothing at first, then one message after the other', () => {
    const pacer = new Pacer(1);
    expect(pacer.available(2, 0)).toBe(0);
    expect(pacer.available(2, MINUTE / 2 - 1)).toBe(0);
    expect(pacer.available(2, MINUTE / 2)).toBe(1);
    pacer.take();
    expect(pacer.available(2, MINUTE / 2)).toBe(0);
  });

  it('never gets more than its pace, whenever the scheduler checks it', () => {
    const looks = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), looks, (pace, waits) => {
        const pacer = new Pacer(1);
        let nowMs = 0;
        let sent = 0;
        pacer.available(pace, nowMs);
        for (const waitMs of waits) {
          nowMs += waitMs;
          for (let free = pacer.available(pace, nowMs); free > 0; free -= 1) {
            pacer.take();
            sent += 1;
          }
        }
        return sent <= (nowMs * pace) / MINUTE + 1e-6;
      }),
    );
  });

  it('saves at most two seconds and one message, so that no burst follows a rest', () => {
    const pacer = new Pacer(1);
    pacer.available(120, 0);
    expect(pacer.available(120, 60 * MINUTE)).toBe(5);
    expect(pacer.available(1, 120 * MINUTE)).toBe(1);
  });

  it('gets its whole pace although the queue is checked once a second', () => {
    const pacer = new Pacer(1);
    let sent = 0;
    for (let nowMs = 0; nowMs <= 10 * MINUTE; nowMs += 1_000) {
      for (let free = pacer.available(57, nowMs); free > 0; free -= 1) {
        pacer.take();
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThanOrEqual(569);
  });

  it('goes on at its pace after the clock was set back', () => {
    const pacer = new Pacer(1);
    pacer.available(1, 60 * MINUTE);
    expect(pacer.available(1, 0)).toBe(0);
    expect(pacer.available(1, MINUTE)).toBe(1);
  });
});

describe('the count of a minute', () => {
  it('starts over when the clock is set back', () => {
    const count = new MinuteCount(1);
    count.add(60 * MINUTE);
    for (let i = 0; i < 5; i += 1) count.add(i * MINUTE);
    expect(count.total(4 * MINUTE)).toBe(1);
  });

  it('drops older events, a second at a time', () => {
    const count = new MinuteCount(1);
    for (let i = 0; i <= 60; i += 1) count.add(i * 1_000);
    expect(count.total(60_000)).toBe(60);
    expect(count.total(70_000)).toBe(50);
    expect(count.total(5 * MINUTE)).toBe(0);
  });
});
