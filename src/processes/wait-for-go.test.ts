import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const ROLE = `
  import { waitForGo } from './src/processes/wait-for-go.ts';
  process.argv.push('--wait');
  const going = waitForGo();
  process.send('waiting', () => undefined);
  const { DATABASE_URL, HOME } = await going;
  console.log('went on with', DATABASE_URL, HOME);
  process.disconnect();`;

function start(): { role: ChildProcess; end: () => Promise<unknown> } {
  const role = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', ROLE], {
    env: { ...process.env, HOME: '/home', DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const streams = [role.stdout, role.stderr].map((stream) => (stream ? text(stream) : ''));
  const ended = Promise.all([once(role, 'exit'), ...streams]);
  return {
    role,
    end: async () => {
      const [[code, signal], said, complained] = await ended;
      return { code, signal, said, complained };
    },
  };
}

it('a role that waits continues on the go-ahead, with its environment', async () => {
  const { role, end } = start();
  role.send({ DATABASE_URL: 'postgres://there' });
  expect(await end()).toEqual({
    code: 0,
    signal: null,
    said: 'went on with postgres://there /home\n',
    complained: '',
  });
});

it('a role that waits exits when its supervisor is gone', async () => {
  const { role, end } = start();
  role.disconnect();
  expect(await end()).toEqual({ code: 0, signal: null, said: '', complained: '' });
});

it('a role that waits exits at once when it is stopped', async () => {
  const { role, end } = start();
  await once(role, 'message');
  role.kill('SIGTERM');
  expect(await end()).toEqual({ code: null, signal: 'SIGTERM', said: '', complained: '' });
});
