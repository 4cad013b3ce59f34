/** OpenDKIM and rspamd beside the receiver's Postfix, as milters: with folders of their own, nothing of /etc is changed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RECEIVER_HOST } from './hosts.ts';
import { isInstalled } from './needs.ts';
import { type Network, SENDING_ADDRESS } from './network.ts';

const execute = promisify(execFile);
const OPENDKIM_PORT = 8891;
const RSPAMD_PORT = 11332;
const READY_WITHIN_MS = 60_000;

export interface Filters {
  /** As `smtpd_milters` takes them. */
  readonly milters: readonly string[];
  readonly hasScores: boolean;
  stop(): void;
}

export async function startFilters(folder: string, network: Network): Promise<Filters> {
  const started = [await startOpenDkim(join(folder, 'opendkim'), network)];
  const milters = [milterAt(OPENDKIM_PORT)];
  const hasScores = isInstalled('rspamd');
  if (hasScores) {
    started.push(await startRspamd(join(folder, 'rspamd'), network));
    milters.push(milterAt(RSPAMD_PORT));
  }
  return {
    milters,
    hasScores,
    stop() {
      for (const child of started) child.kill('SIGTERM');
    },
  };
}

const milterAt = (port: number): string => `inet:127.0.0.1:${port}`;

async function startOpenDkim(folder: string, network: Network): Promise<ChildProcess> {
  mkdirSync(folder);
  const settings = [
    'Mode v',
    `Socket inet:${OPENDKIM_PORT}@127.0.0.1`,
    `AuthservID ${RECEIVER_HOST}`,
    `Nameservers ${SENDING_ADDRESS}`,
    'AlwaysAddARHeader yes',
    'RequireSafeKeys false',
    'UserID nobody',
    'Syslog no',
  ];
  writeFileSync(join(folder, 'opendkim.conf'), `${settings.join('\n')}\n`);
  return start(['opendkim', '-f', '-x', join(folder, 'opendkim.conf')], folder, network, OPENDKIM_PORT);
}

/** Its maps of the world cannot be fetched in here, nor its block lists asked: what counts is what it reads itself. */
const RSPAMD_SETTINGS: Readonly<Record<string, string>> = {
  'options.inc': `dns { nameserver = ["${SENDING_ADDRESS}"]; }\ndisable_hyperscan = true;\n`,
  'milter_headers.conf': 'use = ["x-spamd-result"];\nskip_local = false;\n',
  'worker-normal.inc': 'count = 1;\n',
  // It would put off what it does not know yet; here everything is new.
  'greylist.conf': 'enabled = false;\n',
};

async function startRspamd(folder: string, network: Network): Promise<ChildProcess> {
  const local = join(folder, 'local.d');
  mkdirSync(local, { recursive: true });
  for (const [name, text] of Object.entries(RSPAMD_SETTINGS)) writeFileSync(join(local, name), text);
  const places = ['DBDIR', 'RUNDIR', 'LOGDIR'].map((name) => {
    const place = join(folder, name.toLowerCase());
    mkdirSync(place);
    chmodSync(place, 0o777);
    return `--var=${name}=${place}`;
  });
  const user = ['-u', '_rspamd', '-g', '_rspamd'];
  const command = ['rspamd', '-f', ...user, ...places, `--var=LOCAL_CONFDIR=${folder}`];
  return start(command, folder, network, RSPAMD_PORT);
}

/** Waits until its port answers; if it ends before, the file beside it says why. */
async function start(command: string[], folder: string, network: Network, port: number) {
  const output = openSync(join(folder, 'output.log'), 'a');
  const [program = '', ...args] = [...network.atReceiver, ...command];
  const child = spawn(program, args, { stdio: ['ignore', output, output] });
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isListening(network, port))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${command[0]} did not start; see ${folder}.`);
    await sleep(100);
  }
  return child;
}

async function isListening(network: Network, port: number): Promise<boolean> {
  const [program = '', ...args] = [...network.atReceiver, 'cat', '/proc/self/net/tcp'];
  const { stdout } = await execute(program, args);
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return stdout.split('\n').some((line) => line.includes(`:${hex} 00000000:0000 0A`));
}
