/**
 * Two network namespaces and a cable between them, out of which no road leads: Postrider and the DNS of the lab's world on
 * one side, the receiver on the other. The lab runs in namespaces of its own for network, mounts and processes, so that
 * whatever it started ends with it, however it ends.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/until.ts';

const execute = promisify(execFile);

export const SENDING_ADDRESS = '192.0.2.1';
export const RECEIVING_ADDRESS = '192.0.2.25';

/** The shell is the first process of its namespace and takes care of orphans, such as Postfix's daemons. */
export function insideNamespaces(command: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return spawn('unshare', [...own, '/bin/sh', '-c', '"$@"; exit $?', 'lab', ...command], {
    stdio: 'inherit',
    env,
  });
}

export interface Network {
  /** What to write before a command so that it runs at the receiver's. */
  readonly atReceiver: readonly string[];
}

/** Names are looked up at the lab's DNS by everything that runs in here, and nowhere else. */
export async function layNetwork(folder: string): Promise<Network> {
  const resolver = join(folder, 'resolv.conf');
  writeFileSync(resolver, `nameserver ${SENDING_ADDRESS}\n`);
  await execute('mount', ['--bind', resolver, '/etc/resolv.conf']);
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
  const pid = String(holder.pid);
  await until(() => namespaceOf(pid) !== namespaceOf('self'));
  const atReceiver = ['nsenter', '--target', pid, '--net', '--'];
  await ip(['link', 'add', 'ours', 'type', 'veth', 'peer', 'name', 'theirs', 'netns', pid]);
  await plug([], 'ours', SENDING_ADDRESS);
  await plug(atReceiver, 'theirs', RECEIVING_ADDRESS);
  return { atReceiver };
}

async function plug(at: readonly string[], end: string, address: string): Promise<void> {
  await ip(['link', 'set', 'lo', 'up'], at);
  await ip(['addr', 'add', `${address}/24`, 'dev', end], at);
  await ip(['link', 'set', end, 'up'], at);
}

async function ip(args: readonly string[], at: readonly string[] = []): Promise<void> {
  const [program = 'ip', ...rest] = [...at, 'ip', ...args];
  await execute(program, rest);
}

function namespaceOf(pid: string): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
