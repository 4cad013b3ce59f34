/** How a client demands TLS for a message (RFC 8689), or does without. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { RawSession } from '../sandbox/raw-session.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';

let server: TestApi;
let org: TestOrganization;
let live: TestSubmission;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  live = await startSubmission(server.database, { live: true });
});
afterAll(async () => {
  await live.stop();
  await server.stop();
});

async function codes(session: RawSession, ...lines: readonly string[]): Promise<string[]> {
  const said: string[] = [];
  for (const line of lines) {
    session.write(`${line}\r\n`);
    said.push((await session.replies(1))[0] ?? '');
  }
  return said.map((reply) => reply.slice(0, 9));
}

async function hello(session: RawSession): Promise<string> {
  session.write('EHLO me.example\r\n');
  return (await session.replies(1))[0] ?? '';
}

async function secure(socket: Socket): Promise<Socket> {
  const secured = connectTls({ socket, ca: live.ca, servername: 'localhost' });
  await once(secured, 'secureConnect');
  return secured;
}

/** Over TLS, logged in. */
async function open(): Promise<{ readonly session: RawSession; readonly offers: string }> {
  const plain = await RawSession.connect(live.port);
  expect(await hello(plain)).not.toContain('REQUIRETLS');
  expect(await codes(plain, 'STARTTLS')).toEqual(['220 2.0.0']);
  const session = await RawSession.over(plain.detach(), secure);
  const offers = await hello(session);
  const password = Buffer.from(`\0postrider\0${org.key}`).toString('base64');
  expect(await codes(session, `AUTH PLAIN ${password}`)).toEqual(['235 2.7.0']);
  return { session, offers };
}

let sent = 0;

async function submit(parameters: string, header: readonly string[] = []) {
  const { session } = await open();
  const mail = `MAIL FROM:<hello@${org.domain}>${parameters}`;
  expect(await codes(session, mail, 'RCPT TO:<ada@example.org>', 'DATA')).toHaveLength(3);
  sent += 1;
  const head = [`From: hello@${org.domain}`, 'To: ada@example.org', `Subject: ${sent}`, ...header];
  session.write(`${[...head, '', 'Hello', '.', ''].join('\r\n')}`);
  const [answer = ''] = await session.replies(1);
  expect(answer).toMatch(/^250 /);
  session.end();
  const id = idIn(answer);
  const { options } = await server.db.one(
    adHoc<{ options: { tls?: string } }>('SELECT options FROM emails WHERE organization_id = $1 AND id = $2'),
    [org.id, id],
  );
  const { data } = (await server.api('GET', `/emails/${id}`, undefined, org.key)).body;
  return { tls: options.tls, shown: data.require_tls };
}

it('is offered over TLS', async () => {
  const { session, offers } = await open();
  expect(offers).toContain('REQUIRETLS');
  expect(await codes(session, `MAIL FROM:<hello@${org.domain}> REQUIRETLS=1`)).toEqual(['501 5.5.4']);
  session.end();
});

it.each<[string, string, string[], string | undefined]>([
  ['the parameter of MAIL', ' REQUIRETLS', [], 'required'],
  ['the parameter in small letters, behind another', ' SIZE=100 requiretls', [], 'required'],
  ['a field of the message', '', ['X-Postrider-Require-Tls: yes'], 'required'],
  ['the parameter, whatever a field says', ' REQUIRETLS', ['TLS-Required: No'], 'required'],
  ['a field that says that it may go without', '', ['tls-required: no'], 'optional'],
  ['a field that nobody knows how to read', '', ['TLS-Required: maybe'], undefined],
  ['fields that contradict each other', '', ['TLS-Required: No', 'TLS-Required: Yes'], undefined],
  ['nothing', '', [], undefined],
])('is asked for by %s', async (_, parameters, header, tls) => {
  expect(await submit(parameters, header)).toEqual({ tls, shown: tls === 'required' });
});
