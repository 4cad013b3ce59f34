/** The receiver's Postfix, in a folder of its own: mailboxes for the corpus, restrictions for the refusals, milters, TLS. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../support/test-certificate.ts';
import { RECEIVER_DOMAIN, RECEIVER_HOST } from './hosts.ts';
import type { Network } from './network.ts';
import { addressOfRefusal, MAX_OCTETS, REFUSALS, SPAM_LINE, VIRUS_SUBJECT } from './refusals.ts';

const execute = promisify(execFile);

export interface Receiver {
  /** What lies in somebody's mailbox. */
  mailbox(address: string): Buffer[];
  log(): string;
  stop(): Promise<void>;
}

export async function startReceiver(
  folder: string,
  network: Network,
  options: { readonly milters: readonly string[]; readonly mailboxes: readonly string[] },
): Promise<Receiver> {
  const { milters, mailboxes } = options;
  for (const name of ['', 'etc', 'queue', 'data', 'mail']) mkdirSync(join(folder, name));
  await execute('chown', ['postfix', join(folder, 'data')]);
  await execute('chown', ['nobody', join(folder, 'mail')]);
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(folder, 'etc', name), `${lines.join('\n')}\n`);
  const uid = (await execute('id', ['-u', 'nobody'])).stdout.trim();
  write('main.cf', [
    ...placeOf(folder),
    ...mailOf(folder, uid),
    ...restrictionsOf(folder),
    milterLine(milters),
  ]);
  write('master.cf', SERVICES);
  write(
    'mailboxes',
    mailboxes.map((address, i) => `${address} ${i}/`),
  );
  write(
    'refused',
    REFUSALS.flatMap((one, i) => (one.says === undefined ? [] : [`${addressOfRefusal(i)} refusal${i}`])),
  );
  write('header-checks', [`/^Subject: ${VIRUS_SUBJECT}/ REJECT 5.7.0 Virus found: Lab.Test.Signature`]);
  write('body-checks', [`/${SPAM_LINE}/ REJECT 5.7.1 Your message scored 17.3 and is considered spam`]);
  write('certificate.pem', [TEST_CERTIFICATE, TEST_CERTIFICATE_KEY]);
  const run = async (command: string) => {
    const [program = '', ...args] = [...network.atReceiver, 'postfix', '-c', join(folder, 'etc'), command];
    await execute(program, args);
  };
  await run('start');
  const log = join(folder, 'log');
  return {
    mailbox: (address) => messagesIn(join(folder, 'mail', String(mailboxes.indexOf(address)), 'new')),
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    stop: () => run('stop'),
  };
}

function messagesIn(maildir: string): Buffer[] {
  if (!existsSync(maildir)) return [];
  return readdirSync(maildir).map((name) => readFileSync(join(maildir, name)));
}

function placeOf(folder: string): string[] {
  return [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    'daemon_directory = /usr/lib/postfix/sbin',
    'command_directory = /usr/sbin',
    'mail_owner = postfix',
    'setgid_group = postdrop',
    `myhostname = ${RECEIVER_HOST}`,
    'inet_protocols = ipv4',
    'mynetworks = 127.0.0.0/8',
    'alias_maps =',
    'alias_database =',
    'mydestination =',
    `maillog_file = ${folder}/log`,
    `maillog_file_prefixes = ${folder}`,
    `smtpd_tls_cert_file = ${folder}/etc/certificate.pem`,
    `smtpd_tls_key_file = ${folder}/etc/certificate.pem`,
    'smtpd_tls_security_level = may',
  ];
}

function mailOf(folder: string, uid: string): string[] {
  return [
    `message_size_limit = ${MAX_OCTETS}`,
    'virtual_mailbox_limit = 0',
    `virtual_mailbox_domains = ${RECEIVER_DOMAIN}`,
    `virtual_mailbox_base = ${folder}/mail`,
    `virtual_mailbox_maps = texthash:${folder}/etc/mailboxes`,
    'virtual_minimum_uid = 1',
    `virtual_uid_maps = static:${uid}`,
    `virtual_gid_maps = static:${uid}`,
    `header_checks = regexp:${folder}/etc/header-checks`,
    `body_checks = regexp:${folder}/etc/body-checks`,
  ];
}

/** A class of restrictions for each refusal, so that Postfix says of client, sender or HELO what it always says of them. */
function restrictionsOf(folder: string): string[] {
  const classes = REFUSALS.flatMap(({ by, says }, i) =>
    says === undefined
      ? []
      : [`refusal${i} = ${by === 'postfix' ? says : `check_${by}_access static:{${says}}`}`],
  );
  // A recipient that is refused in words of the map has no mailbox either: the map is asked first.
  return [
    `smtpd_restriction_classes = ${classes.map((line) => line.split(' ')[0]).join(', ')}`,
    ...classes,
    `smtpd_recipient_restrictions = check_recipient_access texthash:${folder}/etc/refused, reject_unauth_destination`,
    // For good: by default Postfix only puts off what it does not relay.
    'smtpd_relay_restrictions = reject_unauth_destination',
    'smtpd_reject_unlisted_recipient = yes',
    'smtpd_helo_required = yes',
  ];
}

/** A filter that is gone must not let mail through as if it had been looked at. */
const milterLine = (milters: readonly string[]): string =>
  `smtpd_milters = ${milters.join(', ')}\nmilter_default_action = tempfail`;

const SERVICES = [
  'smtp inet n - n - - smtpd',
  'pickup unix n - n 60 1 pickup',
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'proxymap unix - - n - - proxymap',
  'smtp unix - - n - - smtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'virtual unix - n n - - virtual',
  'anvil unix - - n - 1 anvil',
  'postlog unix-dgram n - n - 1 postlogd',
];
