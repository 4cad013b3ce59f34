/**
 * A receiver with limits, and a Postfix with default settings that sends to it, as two instances in temporary folders. Accepted and
 * refused mail is counted in the receiver's log.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './installation.ts';
import { requireProgram } from './peers.ts';
import { waitUntilDone } from './wait.ts';

const INSTALL = 'apt-get install -y postfix (with DEBIAN_FRONTEND=noninteractive)';
const execute = promisify(execFile);
const WATCH_MS = 50;

export const LAB_DOMAIN = 'lab.test';

export interface Instance {
  readonly port: number;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Starts a receiver that accepts mail for the lab's domain within these limits and discards it. */
export function startReceiver(limits: readonly string[]): Promise<Instance> {
  return startInstance([
    `mydestination = ${LAB_DOMAIN}`,
    'local_recipient_maps =',
    'local_transport = discard:',
    'mynetworks = 192.0.2.0/32',
    ...limits,
  ]);
}

/** Starts a sender with default settings, except for the destination of all mail. */
export function startSender(receiver: Instance): Promise<Instance> {
  return startInstance([
    'mydestination =',
    'mynetworks = 127.0.0.0/8',
    `relayhost = [127.0.0.1]:${receiver.port}`,
    'smtp_dns_support_level = disabled',
  ]);
}

/** Submits mails of 4 KB, each to a different recipient. */
export async function submit(sender: Instance, count: number): Promise<void> {
  const source = requireProgram('smtp-source', INSTALL);
  const to = `r@${LAB_DOMAIN}`;
  const mail = ['-N', '-s', '4', '-l', '4096', '-m', String(count), '-f', 'orders@shop.test', '-t', to];
  await execute(source, [...mail, `127.0.0.1:${sender.port}`]);
}

export interface Seen {
  readonly arrived: number;
  readonly refused: number;
  /** The average wait in seconds of all mail that can arrive. Mail that did not arrive counts with the whole time. */
  readonly meanWait: number;
}

const ARRIVED = /postfix\/discard\[.*status=sent/g;
const REFUSED = /concurrency limit exceeded|rate limit exceeded|NOQUEUE: reject/g;

function countOf(receiver: Instance, pattern: RegExp): number {
  return receiver.log().match(pattern)?.length ?? 0;
}

/** Runs until `count` mails have arrived, so that both senders are measured in a steady state. */
export async function warmUp(receiver: Instance, count: number, begin: () => Promise<void>): Promise<void> {
  await begin();
  const arrived = () => countOf(receiver, ARRIVED);
  await waitUntilDone({
    what: `${count} mails to arrive at the receiver`,
    isDone: () => arrived() >= count,
    left: () => count - arrived(),
  });
}

/** Watches the receiver until `expected` mails have arrived or the time is over. */
export async function watch(
  receiver: Instance,
  { expected, seconds }: { expected: number; seconds: number },
  begin: () => Promise<void>,
): Promise<Seen> {
  const before = countOf(receiver, ARRIVED);
  const refusedBefore = countOf(receiver, REFUSED);
  const startedMs = performance.now();
  const begun = begin();
  let arrived = 0;
  let waited = 0;
  for (let now = 0; now < seconds && arrived < expected; now = (performance.now() - startedMs) / 1000) {
    const total = countOf(receiver, ARRIVED) - before;
    waited += (total - arrived) * now;
    arrived = total;
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  }
  await begun;
  const refused = countOf(receiver, REFUSED) - refusedBefore;
  return { arrived, refused, meanWait: (waited + (expected - arrived) * seconds) / expected };
}

async function startInstance(settings: readonly string[]): Promise<Instance> {
  const program = requireProgram('postfix', INSTALL);
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-limits-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  for (const name of ['etc', 'queue', 'data']) mkdirSync(join(folder, name));
  await execute('chown', ['postfix', join(folder, 'data')]);
  writeFileSync(join(folder, 'etc', 'main.cf'), mainCf(folder, settings));
  writeFileSync(join(folder, 'etc', 'master.cf'), masterCf(port));
  const run = (command: string) => execute(program, ['-c', join(folder, 'etc'), command]);
  await run('start');
  const log = join(folder, 'log');
  return {
    port,
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    async stop() {
      await run('stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mainCf(folder: string, settings: readonly string[]): string {
  const place = [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    'daemon_directory = /usr/lib/postfix/sbin',
    'command_directory = /usr/sbin',
    'mail_owner = postfix',
    'setgid_group = postdrop',
    `myhostname = mx.${LAB_DOMAIN}`,
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'alias_maps =',
    'alias_database =',
    'smtp_tls_security_level = none',
    'smtpd_tls_security_level = none',
    `maillog_file = ${folder}/log`,
    `maillog_file_prefixes = ${folder}`,
    'biff = no',
  ];
  return `${[...place, ...settings].join('\n')}\n`;
}

function masterCf(port: number): string {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'showq unix n - n - - showq',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'discard unix - - n - - discard',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
}
