import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('the committed lists are what the build script makes of the installed packages', {
  timeout: 120_000,
}, () => {
  const script = new URL('../../scripts/build-validation-data.mjs', import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
