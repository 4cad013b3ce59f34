import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** A role that takes so long to load that its supervisor is gone before it first looks. */
const LATE = `
  import { exitWhenAsked } from './src/processes/stop-signals.ts';
  while (process.connected) await new Promise((resolve) => setTimeout(resolve, 5));
  exitWhenAsked({ stop: async () => console.log('stopped') });`;

it('a role whose supervisor died during its start exits cleanly', async () => {
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

it('a service restarts on SIGHUP', () => {
  expect(hungUp('sh', ['-c', NODE])).toBe('renewed');
});

it.skipIf(!hasTerminals)('a program whose terminal was closed stops', () => {
  expect(hungUp('script', ['-qec', NODE, '/dev/null'])).toBe('stopped');
});

/** A role that drains until it is told that it is enough, and says how far its end has come. */
const DRAINING = `
  import { exitWhenAsked } from './src/processes/stop-signals.ts';
  const aborted = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve));
  setInterval(() => undefined, 60_000);
  exitWhenAsked({
    drain: async (enough) => { process.send('draining'); await aborted(enough); },
    stop: async () => process.send('stopping'),
  });
  process.send('ready');`;

class DrainingRole {
  readonly child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', DRAINING], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  readonly said: unknown[] = [];
  readonly exited = once(this.child, 'exit');

  constructor() {
    this.child.on('message', (message) => this.said.push(message));
  }

  async says(word: string): Promise<void> {
    while (!this.said.includes(word)) await once(this.child, 'message');
  }
}

it('a role that drains stops when its supervisor hurries it', async () => {
  const role = new DrainingRole();
  await role.says('ready');
  role.child.kill('SIGTERM');
  await role.says('draining');
  role.child.send('hurry');
  expect(await role.exited).toEqual([0, null]);
  expect(role.said).toEqual(['ready', 'draining', 'stopping']);
});

it('a role that drains treats two simultaneous signals as one request', async () => {
  const role = new DrainingRole();
  await role.says('ready');
  role.child.kill('SIGTERM');
  role.child.kill('SIGINT');
  await role.says('draining');
  role.child.send('hurry');
  expect(await role.exited).toEqual([0, null]);
});

/** Its clock is ten seconds later when the supervisor dies, so that the death is not taken for a part of the first request. */
const ORPHANED = `
  import { exitWhenAsked } from './src/processes/stop-signals.ts';
  setInterval(() => undefined, 60_000);
  const steady = performance.now.bind(performance);
  let aheadMs = 0;
  performance.now = () => steady() + aheadMs;
  process.on('disconnect', () => { aheadMs = 10_000; });
  const drain = async (enough) => {
    process.on('disconnect', () => { console.log('ended by its death:', enough.aborted); process.exit(0); });
    process.send('draining');
    await new Promise(() => undefined);
  };
  exitWhenAsked({ drain, stop: async () => undefined });
  process.kill(process.pid, 'SIGTERM');`;

it('a role that drains continues when its supervisor dies', async () => {
  const role = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', ORPHANED], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const said = role.stdout ? text(role.stdout) : '';
  await once(role, 'message');
  role.disconnect();
  expect(await said).toBe('ended by its death: false\n');
});
