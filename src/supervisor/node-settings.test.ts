import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { nodeFlags, roleEnvironment } from './node-settings.ts';

it.each([
  [1, '4'],
  [4, '4'],
  [64, '64'],
  [2000, '1024'],
])('%d cores get %s threads', (cores, threads) => {
  expect(roleEnvironment({ PATH: '/bin' }, cores)).toMatchObject({
    PATH: '/bin',
    UV_THREADPOOL_SIZE: threads,
  });
});

it('keeps what an operator set', () => {
  const env = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '8' };
  expect(roleEnvironment(env, 64)).toEqual(env);
});

it.each(['worker', 'api', 'smtp'])('uses only flags that Node supports for the %s', (role) => {
  const { status, stderr } = spawnSync(process.execPath, [...nodeFlags(role, {}), '--eval', '']);
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});

it('keeps a young generation size set by an operator', () => {
  expect(nodeFlags('worker', {})).toContain('--max-semi-space-size=32');
  expect(nodeFlags('worker', { NODE_OPTIONS: '--max_semi_space_size=8' })).toEqual([]);
});
