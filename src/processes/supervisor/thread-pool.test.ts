import { expect, it } from 'vitest';
import { withThreadPool } from './thread-pool.ts';

it.each([
  [1, '4'],
  [4, '4'],
  [64, '64'],
  [2000, '1024'],
])('%d cores get %s threads', (cores, threads) => {
  expect(withThreadPool({ PATH: '/bin' }, cores)).toEqual({ PATH: '/bin', UV_THREADPOOL_SIZE: threads });
});

it('leaves the size alone that an operator has set', () => {
  const env = { UV_THREADPOOL_SIZE: '2' };
  expect(withThreadPool(env, 64)).toBe(env);
});
