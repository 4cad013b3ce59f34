/** The protocol of the receiver, over real sockets. */

import type { connect } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { insertDomain } from '../../src/domains/store.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { RawSession } from '../sandbox/raw-session.ts';
import { domainName } from '../support/addresses.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  type Delivery,
  INBOUND_HOST,
  returnPathTo,
  startInbound,
  type TestInbound,
  type TestInboundOptions,
} from '../support/inbound.ts';

let database: TestDatabase;
let running: TestInbound[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  running = [];
  await database.db.exec(adHoc('TRUNCATE inbound_messages'));
});
afterAll(() => database?.drop());

/** Takes mail and reads none of it, so that a test sees what was stored. */
async function start(options: TestInboundOptions = {}): Promise<TestInbound> {
  const inbound = await startInbound(database, { readsNothing: true, ...options });
  running.push(inbound);
  return inbound;
}

function newDelivery(): Delivery {
  return { organizationId: newId('org'), emailId: uuidv7(Date.now()), position: 3 };
}

interface Stored {
  readonly mailbox: string;
  readonly organization_id: string | null;
  readonly email_id: string | null;
  readonly position: number | null;
  readonly mail_from: string;
  readonly size: number;
  readonly raw: Buffer;
  readonly state: string;
}

function stored(): Promise<Stored[]> {
  return database.db.many(adHoc<Stored>('SELECT * FROM inbound_messages ORDER BY id'));
}

/** Each command with its reply; codes only. */
async function codes(session: RawSession, ...commands: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const command of commands) {
    session.write(`${command}\r\n`);
    seen.push((await session.replies(1))[0]?.slice(0, 9).trim() ?? 'closed');
  }
  return seen;
}

async function begin(port: number, to: string): Promise<RawSession> {
  const session = await RawSession.open(port);
  expect(await codes(session, 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA')).toEqual([
    '250 2.1.0',
    '250 2.1.5',
    '354 End d',
  ]);
  return session;
}

describe('the receiver', () => {
  it('stores what is sent to a return path before it says 250, with whose it is', async () => {
    const { port } = await start();
    const delivery = newDelivery();
    const session = await begin(port, returnPathTo(delivery));
    session.write('Subject: Bounce\r\n\r\n..dot\r\n.\r\n');
    expect(await session.replies(1)).toEqual(['250 2.0.0 Stored']);
    const [message, ...more] = await stored();
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      mailbox: 'b',
      organization_id: delivery.organizationId,
      email_id: delivery.emailId,
      position: 3,
      mail_from: '',
      size: 25,
      state: 'waiting',
    });
    expect(message?.raw.toString()).toBe('Subject: Bounce\r\n\r\n.dot\r\n');
    expect(await codes(session, 'QUIT')).toEqual(['221 2.0.0']);
    await session.closed();
  });

  it.each(['fbl', 'abuse', 'postmaster'])('takes mail to %s', async (name) => {
    const { port } = await start();
    const session = await begin(port, `${name}@${INBOUND_HOST}`);
    session.write('Hello\r\n.\r\n');
    expect((await session.replies(1))[0]).toMatch(/^250 /);
    expect(await stored()).toMatchObject([{ mailbox: name, email_id: null }]);
    session.end();
  });

  it('takes mail to postmaster and abuse at every host that it receives for, and at no other', async () => {
    const { port } = await start();
    const { id } = await createOrganization(database.db, systemClock, { name: 'Shop', dailyLimit: 0 });
    const at = new Date();
    for (const [domain, verified] of [
      ['shop.example', true],
      ['unproven.example', false],
    ] as const) {
      await insertDomain(database.db, {
        id: newId('dom'),
        organization_id: id,
        domain: domainName(domain),
        spf_verified: verified,
        dkim_verified: verified,
        verified_at: verified ? at : null,
        created_at: at,
      });
    }
    for (const name of ['Postmaster', 'ABUSE']) {
      const session = await begin(port, `${name}@bounces.shop.example`);
      session.write('Subject: Hello\r\n\r\nIs anybody there?\r\n.\r\n');
      expect((await session.replies(1))[0]).toMatch(/^250 /);
      session.end();
    }
    expect((await stored()).map(({ mailbox }) => mailbox).sort()).toEqual(['abuse', 'postmaster']);
    const session = await RawSession.open(port);
    const others = [
      'postmaster@shop.example',
      'abuse@bounces.unproven.example',
      'abuse@bounces.other.example',
    ];
    for (const to of [...others, 'sales@bounces.shop.example']) {
      expect((await codes(session, 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'RSET'))[1]).toBe('550 5.7.1');
    }
    session.end();
  });

  it('keeps what people write to postmaster for the operator, who lists, reads and removes it', async () => {
    const inbound = await startInbound(database);
    running.push(inbound);
    const { port } = inbound;
    const session = await begin(port, `postmaster@${INBOUND_HOST}`);
    session.write('Subject: Your server\r\n\r\nIt is \x1b[31mloud\x1b[0m.\r\n.\r\n');
    expect((await session.replies(1))[0]).toMatch(/^250 /);
    session.end();
    await expect.poll(async () => (await stored())[0]?.state, { timeout: 30_000 }).toBe('kept');
    const run = (...argv: string[]) => runCommand(argv, { DATABASE_URL: database.url });
    const [, id = ''] =
      /^([0-9a-f-]{36}) .* postmaster .* Your server$/m.exec((await run('inbound')).out) ?? [];
    const shown = (await run('inbound', 'show', id)).out;
    expect(shown).toContain('It is \ufffd[31mloud\ufffd[0m.');
    expect((await run('inbound', 'remove', id)).code).toBe(0);
    expect((await run('inbound')).out).toBe('Nothing is kept.');
    expect((await run('inbound', 'show', id)).code).toBe(1);
  });

  it('refuses recipients that there are not, and those of others', async () => {
    const { port } = await start();
    const session = await RawSession.open(port);
    const good = returnPathTo(newDelivery());
    const altered = good.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
    const expired = returnPathTo(newDelivery(), Date.now() - 32 * DAY_MS);
    const replies: string[] = [];
    for (const to of [altered, expired, `someone@${INBOUND_HOST}`, 'someone@example.org', '']) {
      replies.push(...(await codes(session, 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA', 'RSET')).slice(1, 3));
    }
    expect(replies).toEqual([
      ...['550 5.1.1', '554 5.5.1'],
      ...['550 5.1.1', '554 5.5.1'],
      ...['550 5.1.1', '554 5.5.1'],
      ...['550 5.7.1', '554 5.5.1'],
      ...['501 5.5.4', '503 5.5.1'],
    ]);
    expect(await stored()).toEqual([]);
    session.end();
  });

  it('takes one recipient per message', async () => {
    const { port } = await start();
    const session = await RawSession.open(port);
    const [first, second] = [returnPathTo(newDelivery()), returnPathTo(newDelivery())];
    expect(
      await codes(session, 'MAIL FROM:<a@b.example>', `RCPT TO:<${first}>`, `RCPT TO:<${second}>`),
    ).toEqual(['250 2.1.0', '250 2.1.5', '452 4.5.3']);
    session.end();
  });

  it.each([
    ['LF dot LF', '\n.\n'],
    ['LF dot CRLF', '\n.\r\n'],
    ['CRLF dot LF', '\r\n.\n'],
    ['CR dot CR', '\r.\r'],
    ['CRLF dot CR', '\r\n.\r'],
  ])('is not smuggled a second message behind %s', async (_name, end) => {
    const { port } = await start();
    const victim = returnPathTo(newDelivery());
    const session = await begin(port, returnPathTo(newDelivery()));
    session.write(`first${end}MAIL FROM:<x@y.example>\r\nRCPT TO:<${victim}>\r\nDATA\r\nsecond\r\n.\r\n`);
    expect(await session.replies(1)).toEqual(['250 2.0.0 Stored']);
    session.write('NOOP\r\n');
    expect(await session.replies(1)).toEqual(['250 2.0.0 Ok']);
    const messages = await stored();
    expect(messages).toHaveLength(1);
    expect(messages[0]?.raw.toString()).toContain('second');
    session.end();
  });

  it('hangs up on commands that do not end with CRLF, and on endless ones', async () => {
    const { port } = await start();
    for (const command of ['NOOP\nNOOP\r\n', 'NO\rOP\r\n', 'NO\0OP\r\n', `NOOP ${'x'.repeat(3_000)}\r\n`]) {
      const session = await RawSession.open(port);
      session.write(command);
      expect((await session.replies(2)).map((reply) => reply.slice(0, 9))).toEqual(['500 5.5.2']);
      await session.closed();
    }
  });

  it('takes a pipeline in one piece', async () => {
    const { port } = await start();
    const session = await RawSession.open(port);
    const to = returnPathTo(newDelivery());
    session.write(`MAIL FROM:<> SIZE=5 BODY=8BITMIME\r\nRCPT TO:<${to}>\r\nDATA\r\nhi\r\n.\r\nQUIT\r\n`);
    expect((await session.replies(5)).map((reply) => reply.slice(0, 3))).toEqual([
      '250',
      '250',
      '354',
      '250',
      '221',
    ]);
    expect(await stored()).toHaveLength(1);
  });

  it('says how much it takes, and refuses more, announced or not', async () => {
    const { port } = await start({ receiver: { maxMessageBytes: 1_000 } });
    const session = await RawSession.open(port);
    expect(await codes(session, 'MAIL FROM:<> SIZE=1001')).toEqual(['552 5.3.4']);
    await codes(session, 'MAIL FROM:<>', `RCPT TO:<${returnPathTo(newDelivery())}>`, 'DATA');
    session.write(`${'x'.repeat(998)}\r\n${'y'.repeat(100)}\r\n.\r\n`);
    expect((await session.replies(1))[0]).toMatch(/^552 5\.3\.4/);
    expect(await codes(session, 'NOOP')).toEqual(['250 2.0.0']);
    await codes(session, 'MAIL FROM:<>', `RCPT TO:<${returnPathTo(newDelivery())}>`, 'DATA');
    session.write('x'.repeat(5_000));
    await session.closed();
    expect(await stored()).toEqual([]);
  });

  it('keeps the beginning of a large message', async () => {
    const { port } = await start();
    const session = await begin(port, returnPathTo(newDelivery()));
    const line = `${'z'.repeat(98)}\r\n`;
    session.write(`Subject: Large\r\n\r\n${line.repeat(10_000)}.\r\n`);
    expect((await session.replies(1))[0]).toMatch(/^250 /);
    const [message] = await stored();
    expect(message?.size).toBe(1_000_018);
    expect(message?.raw.length).toBe(256 * 1024);
    expect(message?.raw.toString('latin1', 0, 14)).toBe('Subject: Large');
    session.end();
  });

  it('has no login, no relaying, no lists and no patience with junk', async () => {
    const { port } = await start();
    const session = await RawSession.open(port);
    expect(await codes(session, 'AUTH PLAIN AGEAYg==', 'EXPN all', 'VRFY root', 'BDAT 4 LAST')).toEqual([
      '502 5.5.1',
      '502 5.5.1',
      '252 2.5.0',
      '502 5.5.1',
    ]);
    expect(
      await codes(session, 'MAIL FROM:<> AUTH=<>', 'RCPT TO:<fbl@x>', 'DATA', 'MAIL FROM:nobody'),
    ).toEqual(['555 5.5.4', '503 5.5.1', '503 5.5.1', '501 5.5.4']);
    expect(await codes(session, 'w', 'x', 'y', 'z')).toEqual([
      ...['500 5.5.1', '500 5.5.1', '500 5.5.1', '421 4.7.0'],
    ]);
    await session.closed();
  });

  it('waits for EHLO before it takes mail', async () => {
    const { port } = await start();
    const session = await RawSession.connect(port);
    expect(await codes(session, 'MAIL FROM:<>', 'HELO there', 'MAIL FROM:<>')).toEqual([
      '503 5.5.1',
      `250 ${INBOUND_HOST}`.slice(0, 9),
      '250 2.1.0',
    ]);
    session.end();
  });

  it('gives a slow client so much time for a command and a message, however it drips', async () => {
    const { port } = await start({ receiver: { times: { commandMs: 1_500, messageMs: 1_500 } } });
    const silent = await RawSession.open(port);
    expect((await silent.replies(1))[0]).toMatch(/^421 4\.4\.2/);
    await silent.closed();
    const dripping = await begin(port, returnPathTo(newDelivery()));
    const drip = setInterval(() => dripping.write('x'), 50);
    expect((await dripping.replies(1))[0]).toMatch(/^421 4\.4\.2/);
    await dripping.closed();
    clearInterval(drip);
    expect(await stored()).toEqual([]);
  });

  it('lets a conversation last so long, whatever is said in it', async () => {
    const { port } = await start({ receiver: { times: { sessionMs: 1_000 } } });
    const talking = await RawSession.open(port);
    const talk = setInterval(() => talking.write('NOOP\r\n'), 100);
    const said: string[] = [];
    for (let reply = await talking.replies(1); reply.length > 0; reply = await talking.replies(1))
      said.push(reply[0]?.slice(0, 9) ?? '');
    clearInterval(talk);
    expect(said.length).toBeLessThan(50);
    expect(said.at(-1)).toBe('421 4.4.2');
    const dripping = await begin(port, returnPathTo(newDelivery()));
    const drip = setInterval(() => dripping.write('x'), 50);
    expect((await dripping.replies(1))[0]).toMatch(/^421 4\.4\.2/);
    clearInterval(drip);
  });

  it('ends a conversation of a hundred commands without a message, not one with messages', async () => {
    const { port } = await start();
    const session = await RawSession.open(port);
    const to = returnPathTo(newDelivery());
    session.write('RSET\r\n'.repeat(90));
    session.write(`MAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDATA\r\nhi\r\n.\r\n${'NOOP\r\n'.repeat(101)}`);
    const codes = (await session.replies(300)).map((reply) => reply.slice(0, 9));
    expect(codes).toHaveLength(90 + 4 + 101);
    expect(codes[93]).toBe('250 2.0.0');
    expect(codes.slice(-2)).toEqual(['250 2.0.0', '421 4.7.0']);
  });

  it('says 452 when too much waits, to strangers before those who bring bounces', async () => {
    const many = { messages: 1_000, bytes: 1_000_000 };
    const caps = {
      signed: {
        inAll: { messages: 4, bytes: 1_000_000 },
        ofSender: many,
        ofDelivery: { ...many, messages: 2 },
      },
      open: { inAll: { messages: 9, bytes: 1_000 }, ofSender: many, ofDelivery: many },
      report: { inAll: many, ofSender: many, ofDelivery: many },
    };
    const { port } = await start({ caps });
    const say = async (to: string, text: string) => {
      const session = await begin(port, to);
      session.write(`${text}\r\n.\r\n`);
      const [reply] = await session.replies(1);
      session.end();
      return reply?.slice(0, 9);
    };
    const abuse = `abuse@${INBOUND_HOST}`;
    const bounce = returnPathTo(newDelivery());
    expect([await say(abuse, 'x'.repeat(900)), await say(abuse, 'y'.repeat(900))]).toEqual([
      ...['250 2.0.0', '452 4.3.1'],
    ]);
    expect([await say(bounce, '1'), await say(bounce, '2'), await say(bounce, '3')]).toEqual([
      ...['250 2.0.0', '250 2.0.0', '452 4.3.1'],
    ]);
    const others = [1, 2, 3].map(() => returnPathTo(newDelivery()));
    const replies: (string | undefined)[] = [];
    for (const to of others) replies.push(await say(to, 'x'));
    expect(replies).toEqual(['250 2.0.0', '250 2.0.0', '452 4.3.1']);
    await database.db.exec(adHoc('TRUNCATE inbound_messages'));
    await expect.poll(() => say(bounce, '4'), { timeout: 10_000, interval: 200 }).toBe('250 2.0.0');
  });

  it('turns away more sessions than it has room for, and lets the next one in when one leaves', async () => {
    const { port } = await start({ limits: { sessionsPerAddress: 2 } });
    const first = await RawSession.open(port);
    const second = await RawSession.open(port);
    const third = await RawSession.connect(port);
    expect(third.banner).toMatch(/^421 4\.7\.0/);
    await third.closed();
    await codes(first, 'QUIT');
    await first.closed();
    await expect
      .poll(async () => (await RawSession.connect(port)).banner, { timeout: 10_000 })
      .toMatch(/^220 /);
    second.end();
  });

  it('slows down who guesses recipients, and who floods addresses that anybody knows', async () => {
    const limits = { unknownRecipients: 2, openMessages: 1 };
    // A clock that stands still: the minute must not end in between.
    const nowMs = Date.now();
    const clock = { nowMs: () => nowMs };
    const { port } = await start({ limits, clock, receiver: { exempt: () => false } });
    const session = await RawSession.open(port);
    const abuse = `RCPT TO:<abuse@${INBOUND_HOST}>`;
    expect(await codes(session, 'MAIL FROM:<>', abuse, 'RSET', 'MAIL FROM:<>', abuse)).toEqual([
      ...['250 2.1.0', '250 2.1.5', '250 2.0.0', '250 2.1.0', '450 4.7.0'],
    ]);
    for (const name of ['a', 'b', 'c']) await codes(session, `RCPT TO:<${name}@${INBOUND_HOST}>`);
    const next = await RawSession.connect(port);
    expect(next.banner).toMatch(/^421 4\.7\.0/);
    session.end();
  });

  it('looks up no more recipients for an address that has guessed too many, and does for another', async () => {
    const nowMs = Date.now();
    const limits = { unknownRecipients: 2 };
    const { port } = await start({
      limits,
      clock: { nowMs: () => nowMs },
      receiver: { exempt: () => false },
    });
    const guessing = await RawSession.open(port, '127.0.0.2');
    const guesses = ['a', 'b', 'c', 'd'].map((name) => `RCPT TO:<${name}@${INBOUND_HOST}>`);
    expect(await codes(guessing, 'MAIL FROM:<>', ...guesses)).toEqual([
      ...['250 2.1.0', '550 5.1.1', '550 5.1.1', '550 5.1.1', '450 4.7.0'],
    ]);
    expect((await RawSession.connect(port, '127.0.0.2')).banner).toMatch(/^421 4\.7\.0/);
    const other = await RawSession.open(port, '127.0.0.3');
    const good = `RCPT TO:<${returnPathTo(newDelivery())}>`;
    expect(await codes(other, 'MAIL FROM:<>', good)).toEqual(['250 2.1.0', '250 2.1.5']);
    guessing.end();
    other.end();
  });

  it('says 451 and stores nothing while the database is away', async () => {
    const own = await createTestDatabase();
    const inbound = await startInbound(own, { readsNothing: true });
    const session = await begin(inbound.port, returnPathTo(newDelivery()));
    await own.db.exec(adHoc('ALTER TABLE inbound_messages RENAME TO away'));
    session.write('hi\r\n.\r\n');
    expect((await session.replies(1))[0]).toMatch(/^451 4\.3\.0/);
    await own.db.exec(adHoc('ALTER TABLE away RENAME TO inbound_messages'));
    await codes(session, 'MAIL FROM:<>', `RCPT TO:<${returnPathTo(newDelivery())}>`, 'DATA');
    session.write('hi\r\n.\r\n');
    expect((await session.replies(1))[0]).toMatch(/^250 /);
    session.end();
    await inbound.stop();
    await own.drop();
  });

  it('says 452 while the disk is nearly full', async () => {
    const { port } = await start({ statfs: async () => ({ bsize: 1, blocks: 1_000, bavail: 1 }) });
    const session = await begin(port, returnPathTo(newDelivery()));
    session.write('hi\r\n.\r\n');
    expect((await session.replies(1))[0]).toMatch(/^452 4\.3\.1/);
    expect(await stored()).toEqual([]);
    session.end();
  });

  it('tells its sessions when it stops, and takes nobody new', async () => {
    const { port, stop } = await startInbound(database, { readsNothing: true });
    const session = await RawSession.open(port);
    await stop();
    expect((await session.replies(1))[0]).toMatch(/^421 4\.3\.2/);
    await session.closed();
  });
});

describe('STARTTLS', () => {
  it('is offered, encrypts, and starts the conversation over', async () => {
    const { port } = await start();
    const plain = await RawSession.connect(port);
    plain.write('EHLO me.example\r\n');
    expect((await plain.replies(1))[0]).toContain('STARTTLS');
    expect(await codes(plain, 'STARTTLS')).toEqual(['220 2.0.0']);
    const secured = await RawSession.over(plain.detach(), (socket) => secure(socket));
    expect(await codes(secured, 'MAIL FROM:<>')).toEqual(['503 5.5.1']);
    secured.write('EHLO me.example\r\n');
    expect((await secured.replies(1))[0]).not.toContain('STARTTLS');
    const to = returnPathTo(newDelivery());
    expect(await codes(secured, 'STARTTLS', 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA')).toEqual([
      ...['503 5.5.1', '250 2.1.0', '250 2.1.5', '354 End d'],
    ]);
    secured.write('Encrypted\r\n.\r\n');
    expect((await secured.replies(1))[0]).toMatch(/^250 /);
    expect(await stored()).toHaveLength(1);
    secured.end();
  });

  it('comes with REQUIRETLS, which bounces of mail that demanded TLS have', async () => {
    const { port } = await start();
    const plain = await RawSession.connect(port);
    plain.write('EHLO me.example\r\n');
    expect((await plain.replies(1))[0]).not.toContain('REQUIRETLS');
    expect(await codes(plain, 'MAIL FROM:<> REQUIRETLS', 'STARTTLS')).toEqual(['555 5.5.4', '220 2.0.0']);
    const secured = await RawSession.over(plain.detach(), (socket) => secure(socket));
    secured.write('EHLO me.example\r\n');
    expect((await secured.replies(1))[0]).toContain('REQUIRETLS');
    expect(await codes(secured, 'MAIL FROM:<> REQUIRETLS')).toEqual(['250 2.1.0']);
    secured.end();
  });

  it('hangs up when something was sent in clear along with it', async () => {
    const { port } = await start();
    const session = await RawSession.open(port);
    session.write('STARTTLS\r\nMAIL FROM:<attacker@example.org>\r\n');
    expect((await session.replies(2)).map((reply) => reply.slice(0, 9))).toEqual(['503 5.5.1']);
    await session.closed();
  });

  it('that never comes about ends the session', async () => {
    const { port } = await start({ receiver: { times: { commandMs: 1_500 } } });
    const session = await RawSession.open(port);
    await codes(session, 'STARTTLS');
    session.write('this is no handshake\r\n');
    await session.closed();
    const next = await RawSession.open(port);
    next.end();
  });
});

function secure(socket: ReturnType<typeof connect>): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({ socket, rejectUnauthorized: false }, () => resolve(secured));
    secured.once('error', reject);
  });
}
