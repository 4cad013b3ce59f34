/** Clients that other people wrote: Python's smtplib and swaks, where they are installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startSubmission, type TestSubmission } from '../support/submission.ts';

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

let server: TestApi;
let org: TestOrganization;
let submission: TestSubmission;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  submission = await startSubmission(server.database);
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

async function run(
  command: string,
  args: readonly string[],
  input = '',
): Promise<{ code: number; out: string }> {
  const child = spawn(command, args);
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (out += data));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, out };
}

async function subjects(): Promise<string[]> {
  const { data } = (await server.api('GET', '/emails', undefined, org.key)).body;
  return data.map(({ subject }: { subject: string }) => subject);
}

describe.skipIf(!has('python3', '-c', 'import smtplib'))("Python's smtplib (needs python3)", () => {
  const python = (lines: readonly string[]) =>
    run('python3', [
      '-c',
      [
        'import smtplib, sys',
        'from email.message import EmailMessage',
        `s = smtplib.SMTP('127.0.0.1', ${submission.port})`,
        ...lines,
      ].join('\n'),
    ]);

  it('logs in, and sends a message with a file and words beyond ASCII', async () => {
    const { code, out } = await python([
      `s.login('django', '${org.key}')`,
      'm = EmailMessage()',
      `m['From'] = 'Django <a@${org.domain}>'`,
      "m['To'] = 'Ada <ada@example.org>, b@example.org'",
      "m['Subject'] = 'From Django: Grüße'",
      "m.set_content('Grüße')",
      "m.add_alternative('<p>Grüße</p>', subtype='html')",
      "m.add_attachment(bytes(range(256)), maintype='application', subtype='x-all', filename='all.bin')",
      'print(s.send_message(m))',
      's.quit()',
    ]);
    expect([code, out.trim()]).toEqual([0, '{}']);
    expect(await subjects()).toContain('From Django: Grüße');
  });

  it('hears which recipient was refused, and why it may not log in', async () => {
    await server.api('POST', '/suppressions', { email: 'no@example.org', reason: 'manual' }, org.key);
    const some = await python([
      `print(s.sendmail('a@${org.domain}', ['no@example.org', 'yes@example.org'], 'From: a@${org.domain}\\nSubject: partly\\n\\nx'))`,
    ]);
    expect(some.out).toContain("'no@example.org': (550, b'5.1.1 no@example.org is on the suppression list')");
    expect(await subjects()).toContain('partly');
    const wrong = await python(["s.login('x', 'wrong')"]);
    expect(wrong.out).toContain('SMTPAuthenticationError: (535');
  });
});

describe.skipIf(!has('swaks', '--version'))('swaks (needs swaks)', () => {
  it('logs in with both mechanisms, and sends', async () => {
    for (const mechanism of ['PLAIN', 'LOGIN']) {
      const { code, out } = await run('swaks', [
        ...[
          '--server',
          `127.0.0.1:${submission.port}`,
          '--auth',
          mechanism,
          '--auth-user',
          'x',
          '--auth-password',
          org.key,
        ],
        ...[
          '--from',
          `a@${org.domain}`,
          '--to',
          'swaks@example.org',
          '--header',
          `Subject: swaks ${mechanism}`,
          '--pipeline',
        ],
      ]);
      expect(out).toContain('queued as');
      expect(code).toBe(0);
      expect(await subjects()).toContain(`swaks ${mechanism}`);
    }
  });
});
