/**
 * A real Postfix as a foreign mail server, in its own temporary folder. It accepts any recipient of its domain, finds later that
 * the user does not exist, and sends a bounce to the return path. A Postfix that already runs on the machine is not affected.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../processes/supervised.ts';

const PROGRAM = '/usr/sbin/postfix';
const DAEMONS = '/usr/lib/postfix/sbin';
const execute = promisify(execFile);

/** Why Postfix cannot run on this machine; null if it can. */
export function whyNoPostfix(): string | null {
  if (!existsSync(PROGRAM) || !existsSync(DAEMONS))
    return 'postfix is not installed (apt-get install postfix)';
  return process.getuid?.() === 0 ? null : 'postfix needs root';
}

export interface RemotePostfix {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startRemotePostfix(options: {
  readonly domain: string;
  /** The address and the name of the receiver of bounces. */
  readonly bouncesTo: { readonly host: string; readonly port: number };
}): Promise<RemotePostfix> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-postfix-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  for (const name of ['etc', 'queue', 'data']) mkdirSync(join(folder, name));
  await execute('chown', ['postfix', join(folder, 'data')]);
  const { domain, bouncesTo } = options;
  const routes = [`reader@${domain} discard:`, `${bouncesTo.host} smtp:[127.0.0.1]:${bouncesTo.port}`];
  writeFileSync(join(folder, 'etc', 'transport'), `${routes.join('\n')}\n`);
  writeFileSync(join(folder, 'etc', 'main.cf'), mainCf(folder, domain));
  writeFileSync(join(folder, 'etc', 'master.cf'), masterCf(port));
  const run = (command: string) => execute(PROGRAM, ['-c', join(folder, 'etc'), command]);
  await run('start');
  return {
    port,
    async stop() {
      await run('stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mainCf(folder: string, domain: string): string {
  return `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
daemon_directory = ${DAEMONS}
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.${domain}
mydestination = ${domain}
local_recipient_maps =
alias_maps =
alias_database =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 192.0.2.0/32
smtpd_recipient_restrictions = reject_unauth_destination
smtpd_client_restrictions =
transport_maps = texthash:${folder}/etc/transport
smtp_dns_support_level = disabled
smtp_host_lookup = native
smtp_tls_security_level = may
smtpd_tls_security_level = none
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
biff = no
`;
}

function masterCf(port: number): string {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
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
    'local unix - n n - - local',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
}
