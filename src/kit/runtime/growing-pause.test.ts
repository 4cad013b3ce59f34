import { expect, it } from 'vitest';
import { GrowingPause } from './growing-pause.ts';

it('doubles up to its longest, and begins anew after a success', () => {
  const pause = new GrowingPause(100, 350);
  expect([pause.next(), pause.next(), pause.next(), pause.next()]).toEqual([100, 200, 350, 350]);
  pause.reset();
  expect(pause.next()).toBe(100);
});
