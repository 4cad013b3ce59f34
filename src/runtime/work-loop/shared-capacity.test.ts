import { expect, it } from 'vitest';
import { SharedCapacity } from './shared-capacity.ts';

it('gives one caller at most half, and all callers at most the whole', () => {
  const room = new SharedCapacity(10);
  expect([room.take('a', 5), room.take('a', 1), room.take('b', 4), room.take('c', 2)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  room.release('a', 5);
  expect([room.take('c', 2), room.take('a', 4), room.take('b', 1)]).toEqual([true, true, false]);
});
