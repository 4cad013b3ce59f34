import { spawn, spawnSync } from 'node:child_process';
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

const HUNG_UP = `
  import { onStopRequest } from './src/processes/stop-signals.ts';
  const say = (word) => () => { console.log(word); process.exit(0); };
  onStopRequest({ stop: say('stopped'), force: say('forced'), renew: say('renewed') });
  setTimeout(() => undefined, 60_000);
  process.kill(process.pid, 'SIGHUP');`;
const NODE = 'node --import tsx --input-type=module --eval "$CODE"';
const hasTerminals = spawnSync('script', ['--version']).status === 0;

function hungUp(command: string, args: readonly string[]): string {
  return String(spawnSync(command, args, { env: { ...process.env, CODE: HUNG_UP } }).stdout).trim();
}

it('a service that is hung up on begins anew', () => {
  expect(hungUp('sh', ['-c', NODE])).toBe('renewed');
});

it.skipIf(!hasTerminals)('a program whose terminal was closed stops', () => {
  expect(hungUp('script', ['-qec', NODE, '/dev/null'])).toBe('stopped');
});
