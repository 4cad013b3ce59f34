import { describe, expect, it } from 'vitest';
import { StallDetector } from './stall-detector.ts';

describe('a server that refuses all connections', () => {
  it('is stuck after it made no progress for the given time', () => {
    const watch = new StallDetector(60_000);
    for (let at = 0; at < 60_000; at += 5_000) expect(watch.look(at, 'startup:7')).toBe(false);
    expect(watch.look(60_000, 'startup:7')).toBe(true);
  });

  it('is left alone while it makes progress, and if progress is unknown', () => {
    const [moving, unseen] = [new StallDetector(60_000), new StallDetector(60_000)];
    for (let at = 0; at < 200_000; at += 5_000) {
      expect(moving.look(at, `startup:${Math.floor(at / 50_000)}`)).toBe(false);
      expect(unseen.look(at, null)).toBe(false);
    }
  });

  it('is watched from the start after it answered in between', () => {
    const watch = new StallDetector(60_000);
    for (let at = 0; at <= 50_000; at += 5_000) watch.look(at, 'startup:7');
    expect(watch.look(70_000, 'startup:7')).toBe(false);
  });
});
