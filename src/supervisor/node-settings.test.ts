import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { nodeFlags, withThreadPool } from './node-settings.ts';

it.each([
  [1, '4'],
  [4, '4'],
  [64, '64'],
  [2000, '1024'],
])('%d cores get %s threads', (cores, threads) => {
  expect(withThreadPool({ PATH: '/bin' }, cores)).toEqual({ PATH: '/bin', UV_THREADPOOL_SIZE: threads });
});

it('keeps a size set by an operator', () => {
  const env = { UV_THREADPOOL_SIZE: '2' };
  expect(withThreadPool(env, 64)).toBe(env);
});

it.each(['worker', 'api', 'inbound'])('uses only flags that Node supports for the %s', (role) => {
  const { status, stderr } = spawnSync(process.execPath, [...nodeFlags(role, {}), '--eval', '']);
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});

it('keeps a young generation size set by an operator', () => {
  expect(nodeFlags('worker', {})).toContain('--max-semi-space-size=32');
  expect(nodeFlags('worker', { NODE_OPTIONS: '--max_semi_space_size=8' })).toEqual(nodeFlags('api', {}));
});
