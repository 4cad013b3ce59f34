import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** A role that takes so long to load that its supervisor is gone before it first looks. */
const LATE = `
  import { exitWhenAsked } from './src/processes/stop-signals.ts';
  while (process.connected) await new Promise((resolve) => setTimeout(resolve, 5));
  exitWhenAsked({ stop: async () => console.log('stopped') });`;

it('a role whose supervisor died while it started ends, cleanly', async () => {
  const role = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', LATE], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  role.disconnect();
  const [[code], said, complained] = await Promise.all([
    once(role, 'exit'),
    role.stdout ? text(role.stdout) : '',
    role.stderr ? text(role.stderr) : '',
  ]);
  expect({ code, said, complained }).toEqual({ code: 0, said: 'stopped\n', complained: '' });
});
