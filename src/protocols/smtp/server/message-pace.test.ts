import { describe, expect, it } from 'vitest';
import { MessagePace } from './message-pace.ts';

const PACES = {
  usual: { windowMs: 60_000, bytes: 1 },
  hurried: { windowMs: 10_000, bytes: 1_000 },
  checkMs: 1_000,
};

function receiving() {
  const state = { size: 0, nowMs: 0 };
  const pace = new MessagePace(
    PACES,
    () => state.size,
    () => state.nowMs,
  );
  return {
    /** What is found when so much has come at that time: in a hurry, or not. */
    at(nowMs: number, size: number, isHurried = true): boolean {
      Object.assign(state, { nowMs, size });
      return pace.isTooSlow(isHurried);
    },
  };
}

describe('the pace of a message', () => {
  it('is not judged before its first window is over', () => {
    expect(receiving().at(9_999, 0)).toBe(false);
  });

  it('is too slow in a hurry when a window brings too little', () => {
    const { at } = receiving();
    expect(at(10_000, 1_000)).toBe(false);
    expect(at(20_000, 1_999)).toBe(true);
  });

  it('does not live on what came in windows before', () => {
    const { at } = receiving();
    expect(at(10_000, 12_000_000)).toBe(false);
    expect(at(20_000, 12_000_000)).toBe(true);
  });

  it('may be slower while nobody waits', () => {
    const { at } = receiving();
    expect(at(20_000, 1, false)).toBe(false);
    expect(at(60_000, 1, false)).toBe(false);
    expect(at(120_000, 1, false)).toBe(true);
  });
});
