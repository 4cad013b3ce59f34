/** The settings that the pages about SMTP show, taken from the pages and used to send. What is not installed is skipped. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startSubmission, type TestSubmission } from '../support/submission.ts';
import { blocksOf } from './blocks.ts';
import { pages } from './pages.ts';

const PAGES = pages();
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
/** Debian's packages are for the system's own Python. */
const DJANGO_PYTHON = ['python3', '/usr/bin/python3'].find((python) => has(python, '-c', 'import django'));
const PHPMAILER = '/usr/share/php/libphp-phpmailer/autoload.php';

let server: TestApi;
let org: TestOrganization;
let submission: TestSubmission;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  await server.addVerifiedDomain(org.id, 'sandbox.test');
  submission = await startSubmission(server.database);
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

/** What a page shows, with the port and the key of this installation. */
function example(page: string, kind: string): string {
  const found = PAGES.filter(({ name }) => name === page).flatMap(blocksOf);
  const block = found.find(({ note }) => note === `example: ${kind}`);
  if (block === undefined) throw new Error(`${page} has no example: ${kind}`);
  return block.code.replaceAll('1025', String(submission.port)).replaceAll('pr_…', org.key);
}

async function run(command: string, args: readonly string[], program: string): Promise<string> {
  const child = spawn(command, args);
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (out += data));
  child.stdin.end(program);
  const [code] = await once(child, 'close');
  return code === 0 ? out : `${command} ended with ${code}: ${out}`;
}

/** With the key, so that it was used. */
async function wasSent(subject: string): Promise<boolean> {
  const { data } = (await server.api('GET', `/emails?subject=${subject}`, undefined, org.key)).body;
  if (data.length !== 1) return false;
  const email = (await server.api('GET', `/emails/${data[0].id}`, undefined, org.key)).body.data;
  return email.api_key_id !== null && email.from.email === 'hello@sandbox.test';
}

type Run = (nodemailer: unknown, key: string) => Promise<unknown>;
const asProgram = (code: string) =>
  new Function('nodemailer', 'API_KEY', `return (async () => { ${code} })()`) as Run;

it('those for nodemailer send', async () => {
  const whole = `${example('docs/send/smtp.md', 'nodemailer')} return info.response;`;
  expect(await asProgram(whole)(nodemailer, org.key)).toMatch(/^250 2\.0\.0 Ok: queued as /);
  const mail = "{ from: 'hello@sandbox.test', to: 'ada@example.org', subject: 'nodemailer', text: 'x' }";
  await asProgram(`${example('docs/migrate/smtp.md', 'nodemailer')} await transport.sendMail(${mail});`)(
    nodemailer,
    org.key,
  );
  expect(await wasSent('nodemailer')).toBe(true);
});

it.skipIf(!has('python3', '-c', 'import smtplib'))('that for Python sends (needs python3)', async () => {
  const given = `API_KEY = '${org.key}'\nmessage = 'From: hello@sandbox.test\\nSubject: python\\n\\nHi'\n`;
  expect(await run('python3', ['-'], given + example('docs/send/smtp.md', 'python'))).toBe('');
  expect(await wasSent('python')).toBe(true);
});

it.skipIf(DJANGO_PYTHON === undefined)('those for Django send (needs python3-django)', async () => {
  const program = `
from django.conf import settings
${example('docs/migrate/smtp.md', 'django')}
settings.configure(**{name: value for name, value in globals().items() if name.isupper()})
from django.core.mail import send_mail
print(send_mail('django', 'Hi', None, ['ada@example.org']))`;
  expect(await run(DJANGO_PYTHON as string, ['-'], program)).toBe('1\n');
  expect(await wasSent('django')).toBe(true);
});

it.skipIf(!has('php', '-r', `exit(file_exists('${PHPMAILER}') ? 0 : 1);`))(
  'those for WordPress send, with its PHPMailer (needs php-cli and libphp-phpmailer)',
  async () => {
    const program = `<?php
require '${PHPMAILER}';
function add_action($name, $run) { global $init; $init = $run; }
function add_filter($name, $run) { global $from; $from = $run(); }
${example('docs/migrate/smtp.md', 'phpmailer')}
$mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
$init($mail);
$mail->setFrom($from);
$mail->addAddress('ada@example.org');
$mail->Subject = 'phpmailer';
$mail->Body = 'Hi';
$mail->send();`;
    expect(await run('php', [], program)).toBe('');
    expect(await wasSent('phpmailer')).toBe(true);
  },
);

it.skipIf(!has('ruby', '-e', "require 'mail'"))(
  'those for Rails send, with its mail library (needs ruby-mail)',
  async () => {
    const program = `
require 'mail'
Mailer = Struct.new(:delivery_method, :smtp_settings)
Config = Struct.new(:action_mailer)
config = Config.new(Mailer.new)
${example('docs/migrate/smtp.md', 'ruby')}
mail = Mail.new(from: 'hello@sandbox.test', to: 'ada@example.org', subject: 'ruby', body: 'Hi')
mail.delivery_method(config.action_mailer.delivery_method, config.action_mailer.smtp_settings)
mail.deliver!`;
    expect(await run('ruby', ['-'], program)).toBe('');
    expect(await wasSent('ruby')).toBe(true);
  },
);
