import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../runtime/durations.ts';
import { rotationAfter } from './rotation.ts';

const START = Date.UTC(2026, 10, 1);
const at = (minutes: number) => new Date(START + minutes * MINUTE_MS);
const was = (seenAt: Date | null) => ({ started_at: at(0), seen_at: seenAt });
const live = (minutes: number) => ({ nowMs: at(minutes).getTime(), mode: 'live' as const });

describe('a DKIM rotation', () => {
  it('is not ready at the first lookup that finds the record, and looks again after ten minutes', () => {
    expect(rotationAfter(was(null), 'pass', live(5))).toEqual({
      seenAt: at(5),
      isReady: false,
      againMs: 10 * MINUTE_MS,
    });
  });

  it('is ready when it is found again ten minutes later, and not before', () => {
    expect(rotationAfter(was(at(5)), 'pass', live(14)).isReady).toBe(false);
    expect(rotationAfter(was(at(5)), 'pass', live(15)).isReady).toBe(true);
  });

  it('restarts the wait when the record is gone, and not when DNS does not answer', () => {
    expect(rotationAfter(was(at(5)), 'fail', live(15))).toMatchObject({ seenAt: null, isReady: false });
    expect(rotationAfter(was(at(5)), 'unknown', live(15))).toMatchObject({
      seenAt: at(5),
      isReady: false,
    });
  });

  it('looks up less and less often while the record is missing', () => {
    const waits = [1, 100, 3_000].map((minutes) => rotationAfter(was(null), 'fail', live(minutes)).againMs);
    expect(waits.map((ms) => ms / MINUTE_MS)).toEqual([2, 15, 360]);
  });
});
