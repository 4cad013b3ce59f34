/** Mail that is made to break its reader, and processes that die at the worst moment. */
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { authenticateMail } from '../../src/inbound/received/authenticate.ts';
import { readReceived } from '../../src/inbound/received/read-received.ts';
import { readUnreadMail } from '../../src/inbound/received/reader.ts';
import { createResolver } from '../../src/protocols/dns/resolver.ts';
import { NOT_SCANNED } from '../../src/received/received-email.ts';
import { claimReceived } from '../../src/received/store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
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
      'of encoded NULs and lone halves',
      mailOf(
        {
          From: '=?utf-16?B?2AA=?= <a@example.org>',
          Subject: '=?utf-8?Q?a=00b?=',
          'Content-Transfer-Encoding': 'base64',
        },
        Buffer.from('\0\xff\xfe', 'latin1').toString('base64'),
      ),
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

  it.each([
    ['a LF without CR', 'X-A: b\nFrom: The CEO <ceo@victim.example>\nSubject: Pay\n\nNow.\r\n'],
    ['a CR without LF', 'X-A: b\rFrom: The CEO <ceo@victim.example>\r\n'],
    ['a NUL', 'X-A: \0\r\n'],
  ])(
    'with %s is refused while its sender is connected, and nothing of it is stored',
    async (_what, front) => {
      for (const message of [front + mailOf({}, 'Hello'), mailOf({}, front)])
        expect(await bringMail(inbound.port, `x@${org.domain}`, message)).toMatch(
          /^554 5\.6\.0 .*lines end with CRLF$/,
        );
      expect(await list()).toEqual([]);
    },
  );

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

describe('a reader that crashes', () => {
  it('between storing and reading loses nothing, and emits one event', async () => {
    await bring(mailOf({}, 'Hello'));
    // A process took it, and is gone.
    expect(await claimReceived(server.db, 10, 0)).toHaveLength(1);
    expect(await readUnreadMail(reader())).toBe(1);
    expect(await events()).toHaveLength(1);
    expect(await list()).toMatchObject([{ status: 'read' }]);
  });

  it('emits no event after it lost its claim', async () => {
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
    receivingLimits: { messagesPerDay: 1, storedBytes: 1_000_000, waiting: 100, waitingOfOne: 100 },
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

it('reading is pure: the same bytes say the same', async () => {
  const raw = Buffer.from(mailOf({ Subject: 'A' }, 'B'));
  expect(await readReceived(raw, 'a@example.org')).toEqual(await readReceived(raw, 'a@example.org'));
});

describe('mail for several organizations', () => {
  it('is read in turns: much of it for one keeps nobody else’s waiting', async () => {
    for (let number = 0; number < 5; number += 1) await bring(mailOf({}, `Flood ${number}`));
    const other = await server.createOrganization();
    await server.api('POST', '/inbound/domains', { domain: other.domain }, other.key);
    await server.api('POST', '/inbound/routes', { address: `*@${other.domain}` }, other.key);
    await bringMail(inbound.port, `x@${other.domain}`, mailOf({}, 'Alone'));
    const taken = await claimReceived(server.db, 2, 60_000);
    expect(taken.map(({ organizationId }) => organizationId).toSorted()).toEqual(
      [org.id, other.id].toSorted(),
    );
    expect(await claimReceived(server.db, 10, 60_000)).toHaveLength(4);
  });

  it('is refused for one that has too much unread, and taken for the others', async () => {
    const small = await startInbound(server.database, {
      readsNothing: true,
      receivingLimits: { messagesPerDay: 100, storedBytes: 1_000_000, waiting: 100, waitingOfOne: 1 },
    });
    try {
      await bring(mailOf({}, 'First'));
      expect(await bringMail(small.port, `x@${org.domain}`, mailOf({}, 'Second'))).toMatch(/^452 /);
      const other = await server.createOrganization();
      await server.api('POST', '/inbound/domains', { domain: other.domain }, other.key);
      await server.api('POST', '/inbound/routes', { address: `*@${other.domain}` }, other.key);
      expect(await bringMail(small.port, `x@${other.domain}`, mailOf({}, 'Alone'))).toMatch(/^250 /);
    } finally {
      await small.stop();
    }
  });
});

it('a mail whose sender’s DNS never answers is done with in time, and says so', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  const resolver = createResolver({ clock: systemClock, servers: [`127.0.0.1:${silent.address().port}`] });
  const signature =
    'v=1; a=rsa-sha256; d=slow.example; s=s; h=from; bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=; b=AA';
  const raw = Buffer.from(`${`DKIM-Signature: ${signature}\r\n`.repeat(5)}From: a@slow.example\r\n\r\n`);
  const startedMs = performance.now();
  const { spf, dkim, dmarc } = await authenticateMail(
    { resolver, nowMs: Date.now, timeMs: 300 },
    { raw, mailFrom: 'a@slow.example', helo: 'x', remoteAddress: '192.0.2.1' },
  );
  expect([spf.result, dkim.result, dmarc.result]).toEqual(['temperror', 'temperror', 'temperror']);
  // All of them one after the other would have taken a minute.
  expect(performance.now() - startedMs).toBeLessThan(20_000);
  resolver.close();
  silent.close();
});
