/** Mail that is made to break its reader, and processes that die at the worst moment. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readReceived } from '../../src/inbound/received/read-received.ts';
import { readUnreadMail } from '../../src/inbound/received/reader.ts';
import { adHoc } from '../../src/kit/database/sql.ts';
import { createLog } from '../../src/kit/runtime/log.ts';
import { NOT_SCANNED } from '../../src/received/received-email.ts';
import { claimReceived } from '../../src/received/store.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startInbound, type TestInbound } from '../support/inbound.ts';
import { bringMail, MailClient, mailOf } from '../support/receiving.ts';

const UNKNOWN = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', signatures: [] },
  dmarc: { result: 'none', domain: null, policy: null },
} as const;

let server: TestApi;
let inbound: TestInbound;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  inbound = await startInbound(server.database, { readsNothing: true });
});
afterAll(async () => {
  await inbound?.stop();
  await server?.stop();
});
beforeEach(async () => {
  org = await server.createOrganization();
  await server.db.exec(adHoc('TRUNCATE received_emails'));
  await server.api('POST', '/inbound/domains', { domain: org.domain }, org.key);
  await server.api('POST', '/inbound/routes', { address: `*@${org.domain}` }, org.key);
});

const reader = () => ({
  db: server.db,
  log: createLog('test', 'silent'),
  authenticate: async () => UNKNOWN,
  scan: async () => NOT_SCANNED,
  leaseMs: 0,
});

async function bring(message: string | Buffer): Promise<void> {
  expect(await bringMail(inbound.port, `x@${org.domain}`, message)).toMatch(/^250 /);
}

async function list() {
  return (await server.api('GET', '/inbound', undefined, org.key)).body.data;
}

async function events(): Promise<unknown[]> {
  return (await server.api('GET', '/events?type=received', undefined, org.key)).body.data;
}

function nested(depth: number): string {
  let body = 'Content-Type: text/plain\r\n\r\nDeep';
  for (let level = depth; level > 0; level -= 1)
    body = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${body}\r\n--b${level}--`;
  return body;
}

describe('a message', () => {
  it.each([
    [
      'of 10,000 parts',
      mailOf({ 'Content-Type': 'multipart/mixed; boundary=b' }, '--b\r\nX: y\r\n\r\nz\r\n'.repeat(10_000)),
    ],
    ['that is nested 500 times', `From: a@example.org\r\n${nested(500)}`],
    ['with a header of a megabyte', `X-Long: ${'x '.repeat(500_000)}\r\n${mailOf({}, 'x')}`],
    ['with 50,000 header fields', `${'X: y\r\n'.repeat(50_000)}${mailOf({}, 'x')}`],
    [
      'whose boundary never comes',
      mailOf({ 'Content-Type': 'multipart/mixed; boundary=never' }, 'x'.repeat(1_000_000)),
    ],
    [
      'of NULs and lone halves',
      Buffer.from('Subject: a\0b\r\nFrom: =?utf-16?B?2AA=?= <a@example.org>\r\n\r\n\0\xff\xfe'),
    ],
    ['of nothing', '\r\n'],
    ['whose text is only quotes', mailOf({}, '> a\r\n'.repeat(100_000))],
    ['with a From of 100,000 addresses', mailOf({ From: 'a@example.org, '.repeat(100_000) }, 'x')],
    [
      'with an attachment named like a path',
      mailOf(
        { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="../../etc/passwd"' },
        'x',
      ),
    ],
  ])('%s is read within a second, or shown as it came', async (_name, message) => {
    await bring(message);
    const startedMs = performance.now();
    expect(await readUnreadMail(reader())).toBe(1);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    const [{ id, status }] = await list();
    expect(['read', 'unreadable']).toContain(status);
    const detail = (await server.api('GET', `/inbound/${id}`, undefined, org.key)).body.data;
    for (const { filename } of detail.attachments) expect(filename).not.toMatch(/[/\\]/);
    expect(await events()).toHaveLength(1);
  });

  it('larger than may be is refused, by its announcement and without one', async () => {
    const client = await MailClient.open(inbound.port);
    expect(await client.say('MAIL FROM:<a@example.org> SIZE=30000000')).toMatch(/^250 /);
    expect(await client.say(`RCPT TO:<x@${org.domain}>`)).toMatch(/^552 5\.3\.4/);
    await client.say('RSET');
    const large = Buffer.alloc(26 * 1024 * 1024, 'x'.repeat(70).concat('\r\n'));
    expect(await client.send('a@example.org', [`x@${org.domain}`], large)).toMatch(/^552 5\.3\.4/);
    client.close();
    expect(await list()).toEqual([]);
  });

  it('cannot write headers into what is answered to it', async () => {
    const message = mailOf(
      {
        Subject: '=?utf-8?B?SGVsbG8NCkJjYzogdmljdGltQGV4YW1wbGUub3Jn?=',
        References: '<a@b>\r\n <c\x0bd@e> <x\x7f@y>',
      },
      'x',
    );
    await bring(message);
    await readUnreadMail(reader());
    const [{ id }] = await list();
    const from = { email: `x@${org.domain}` };
    const sent = await server.api('POST', `/inbound/${id}/reply`, { text: 'Hi', from }, org.key);
    expect(sent.status).toBe(201);
    const email = (
      await server.api('GET', `/emails/${sent.body.data.message_id}/content`, undefined, org.key)
    ).body.data;
    expect(email.subject).not.toMatch(/[\r\n]/);
    for (const value of Object.values(email.headers as Record<string, string>))
      expect(value).toMatch(/^[\x20-\x7e]*$/);
  });
});

describe('whoever dies', () => {
  it('between storing and reading loses nothing, and tells once', async () => {
    await bring(mailOf({}, 'Hello'));
    // A process took it, and is gone.
    expect(await claimReceived(server.db, 10, 0)).toHaveLength(1);
    expect(await readUnreadMail(reader())).toBe(1);
    expect(await events()).toHaveLength(1);
    expect(await list()).toMatchObject([{ status: 'read' }]);
  });

  it('and comes back too late tells nothing', async () => {
    await bring(mailOf({}, 'Hello'));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = readUnreadMail({ ...reader(), authenticate: () => held.then(() => UNKNOWN) });
    await expect.poll(() => readUnreadMail(reader()), { timeout: 20_000 }).toBe(1);
    release();
    await slow;
    expect(await events()).toHaveLength(1);
  });

  it('of the same mail again and again leaves it to be seen as it came', async () => {
    await bring(mailOf({}, 'Hello'));
    for (let i = 0; i < 3; i += 1) await claimReceived(server.db, 10, 0);
    await readUnreadMail(reader());
    expect(await list()).toMatchObject([{ status: 'unreadable' }]);
    expect(await events()).toHaveLength(1);
  });
});

it('an organization that has received as much as it may is told to wait', async () => {
  const full = await startInbound(server.database, {
    readsNothing: true,
    receivingLimits: { messagesPerDay: 1, storedBytes: 1_000_000, waiting: 100 },
  });
  try {
    expect(await bringMail(full.port, `x@${org.domain}`, mailOf({}, '1'))).toMatch(/^250 /);
    await expect
      .poll(() => bringMail(full.port, `x@${org.domain}`, mailOf({}, '2')), {
        timeout: 20_000,
        interval: 300,
      })
      .toMatch(/^452 4\.2\.2/);
  } finally {
    await full.stop();
  }
});

it('reading is pure: the same bytes say the same', () => {
  const raw = Buffer.from(mailOf({ Subject: 'A' }, 'B'));
  expect(readReceived(raw, 'a@example.org')).toEqual(readReceived(raw, 'a@example.org'));
});
