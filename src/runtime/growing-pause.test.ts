import { expect, it } from 'vitest';
import { GrowingPause } from './growing-pause.ts';

it('doubles up to its maximum, and starts over after a success', () => {
  const pause = new GrowingPause(100, 350, () => 0);
  expect([pause.next(), pause.next(), pause.next(), pause.next()]).toEqual([100, 200, 350, 350]);
  pause.reset();
  expect(pause.next()).toBe(100);
});

it('is reduced by up to a half at random, and still doubles', () => {
  const pause = new GrowingPause(100, 1_000, () => 0.5);
  expect([pause.next(), pause.next()]).toEqual([75, 150]);
});
