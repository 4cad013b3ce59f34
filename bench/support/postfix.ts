/**
 * Postfix for comparison: an instance in a temporary folder that accepts mail from smtp-source and sends it to the sink. Tuned for
 * throughput as its TUNING_README advises: no in_flow_delay, many processes, many concurrent deliveries to each destination,
 * connection reuse, a large active queue, no lookups (a map has the destinations), no chroot, no TLS, no filter except an
 * optional milter. A Postfix that already runs on the machine is not affected.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MissingPeer } from './bench.ts';
import { cpuSeconds } from './cpu.ts';
import { freePort } from './installation.ts';
import { DOMAINS, type Intake, type MailSink } from './mail-sink.ts';
import { requireProgram } from './peers.ts';
import { within } from './wait.ts';

const INSTALL = 'apt-get install -y postfix (with DEBIAN_FRONTEND=noninteractive)';
/** The sender's domain of the mail of smtp-source. */
export const POSTFIX_SENDER = 'shop.test';
const execute = promisify(execFile);
/** The time limit of smtp-source, which needs seconds for some thousand mails. */
const FEED_MS = 5 * 60_000;

export interface Postfix {
  readonly version: string;
  readonly port: number;
  /** From the first connection of smtp-source to the last message at the sink. */
  endToEnd(count: number, bytes: number): Promise<Intake>;
  /** Processor time used so far by all processes of this Postfix. */
  cpuSeconds(): number;
  /** Keeps all new mail in the queue without delivering it. */
  hold(): Promise<void>;
  /** Accepts mail without delivering it. Returns messages per second. */
  accept(count: number, bytes: number): Promise<number>;
  /** Delivers mail that was accepted and held before. */
  fromQueue(count: number, bytes: number): Promise<Intake>;
  stop(): Promise<void>;
}

/** Throws MissingPeer before anything is measured. */
export function requirePostfix(): void {
  requireProgram('postfix', INSTALL);
  requireProgram('smtp-source', INSTALL);
  if (process.getuid?.() !== 0)
    throw new MissingPeer('Postfix', 'run the bench as root', 'starts only as root');
}

/** `milter`: the address of the signing filter, for `smtpd_milters`. */
export async function startPostfix(sink: MailSink, milter = ''): Promise<Postfix> {
  const program = requireProgram('postfix', INSTALL);
  const source = requireProgram('smtp-source', INSTALL);
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-postfix-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  await configure(folder, port, sink, milter);
  const run = (...args: string[]) => execute(program, ['-c', join(folder, 'etc'), ...args]);
  await run('start');
  const tool = (name: string, ...args: string[]) =>
    execute(requireProgram(name, INSTALL), ['-c', join(folder, 'etc'), ...args]);
  const submit = (count: number, bytes: number) => feed(source, port, sink, count, bytes);
  const reconfigure = async (setting: string) => {
    await tool('postconf', '-e', setting);
    await run('reload');
  };
  // Held, because the queue manager would be busy with deferred mail while other programs are measured.
  const hold = () => reconfigure('smtpd_client_restrictions=check_client_access static:HOLD');
  const { stdout } = await tool('postconf', '-h', 'mail_version');
  return {
    version: stdout.trim(),
    port,
    cpuSeconds: () => cpuSeconds(Number(readFileSync(join(folder, 'queue', 'pid', 'master.pid'), 'utf8'))),
    async endToEnd(count, bytes) {
      const [seen] = await Promise.all([sink.intake(count, 1), submit(count, bytes)]);
      return seen;
    },
    hold,
    async accept(count, bytes) {
      await hold();
      const startedMs = performance.now();
      await submit(count, bytes);
      return (count * 1000) / (performance.now() - startedMs);
    },
    async fromQueue(count, bytes) {
      await reconfigure('defer_transports=smtp');
      await submit(count, bytes);
      const release = async () => {
        await reconfigure('defer_transports=');
        await tool('postqueue', '-f');
      };
      const [seen] = await Promise.all([sink.intake(count, 1), release()]);
      return seen;
    },
    async stop() {
      await run('stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one smtp-source per destination, with enough sessions to keep Postfix busy. */
async function feed(
  source: string,
  port: number,
  sink: MailSink,
  count: number,
  bytes: number,
): Promise<void> {
  const SESSIONS = 4;
  const each = Math.floor(count / DOMAINS);
  await Promise.all(
    Array.from({ length: DOMAINS }, async (_, i) => {
      const to = `r@${sink.domain(i)}`;
      const args = ['-d', '-s', String(SESSIONS), '-l', String(bytes), '-m', String(each)];
      const child = spawn(
        source,
        [...args, '-f', `orders@${POSTFIX_SENDER}`, '-t', to, `127.0.0.1:${port}`],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      );
      const [code] = await within(`Postfix to take ${each} mails`, once(child, 'exit'), FEED_MS);
      if (code !== 0) throw new Error('smtp-source failed.');
    }),
  );
}

async function configure(folder: string, port: number, sink: MailSink, milter: string): Promise<void> {
  for (const name of ['etc', 'queue', 'data']) mkdirSync(join(folder, name));
  await execute('chown', ['postfix', join(folder, 'data')]);
  const destinations = Array.from({ length: DOMAINS }, (_, i) => i).map(
    (i) => `${sink.domain(i)} smtp:[${sink.address(i)}]:${sink.port}`,
  );
  writeFileSync(join(folder, 'etc', 'transport'), `${destinations.join('\n')}\n`);
  writeFileSync(join(folder, 'etc', 'main.cf'), mainCf(folder, milter));
  writeFileSync(join(folder, 'etc', 'master.cf'), masterCf(port));
}

function mainCf(folder: string, milter: string): string {
  return `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mail.bench.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_recipient_restrictions = permit_mynetworks, reject
transport_maps = texthash:${folder}/etc/transport
alias_maps =
alias_database =
smtp_dns_support_level = disabled
smtp_host_lookup = native
smtp_tls_security_level = none
smtpd_tls_security_level = none
in_flow_delay = 0
default_process_limit = 200
initial_destination_concurrency = 10
smtp_destination_concurrency_limit = 20
smtp_connection_cache_on_demand = yes
smtp_connection_cache_destinations = static:all
smtp_connection_reuse_count_limit = 100
qmgr_message_active_limit = 40000
qmgr_message_recipient_limit = 40000
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
minimal_backoff_time = 300s
maillog_file = /dev/null
maillog_file_prefixes = /dev
biff = no
smtpd_milters = ${milter}
`;
}

function masterCf(port: number): string {
  const service = (name: string, type: string, rest: string) => `${name} ${type} ${rest}\n`;
  return [
    service(`127.0.0.1:${port}`, 'inet', 'n - n - - smtpd'),
    service('pickup', 'unix', 'n - n 60 1 pickup'),
    service('cleanup', 'unix', 'n - n - 0 cleanup'),
    service('qmgr', 'unix', 'n - n 300 1 qmgr'),
    service('rewrite', 'unix', '- - n - - trivial-rewrite'),
    service('bounce', 'unix', '- - n - 0 bounce'),
    service('defer', 'unix', '- - n - 0 bounce'),
    service('trace', 'unix', '- - n - 0 bounce'),
    service('flush', 'unix', 'n - n 1000? 0 flush'),
    service('proxymap', 'unix', '- - n - - proxymap'),
    service('smtp', 'unix', '- - n - - smtp'),
    service('showq', 'unix', 'n - n - - showq'),
    service('error', 'unix', '- - n - - error'),
    service('retry', 'unix', '- - n - - error'),
    service('discard', 'unix', '- - n - - discard'),
    service('anvil', 'unix', '- - n - 1 anvil'),
    service('scache', 'unix', '- - n - 1 scache'),
    service('postlog', 'unix-dgram', 'n - n - 1 postlogd'),
  ].join('');
}
