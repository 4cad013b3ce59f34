/** SMTP spoken by hand, by those who speak it badly or mean it badly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { RawSession } from '../sandbox/raw-session.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import {
  idIn,
  startSubmission,
  type TestSubmission,
  type TestSubmissionOptions,
} from '../support/submission.ts';

let server: TestApi;
let org: TestOrganization;
const started: TestSubmission[] = [];

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(async () => {
  for (const one of started) await one.stop();
  await server.stop();
});

async function start(options: TestSubmissionOptions = {}): Promise<TestSubmission> {
  const submission = await startSubmission(server.database, options);
  started.push(submission);
  return submission;
}

/** Codes of the replies to lines that are said one after the other. */
async function codes(session: RawSession, ...lines: string[]): Promise<string[]> {
  const said: string[] = [];
  for (const line of lines) {
    session.write(`${line}\r\n`);
    said.push((await session.replies(1))[0] ?? '');
  }
  return said.map((reply) => reply.slice(0, 9));
}

const plainKey = (key: string) => Buffer.from(`\0any\0${key}`).toString('base64');
const message = (more = '', body = 'x') =>
  `From: a@${org.domain}\r\nSubject: s\r\n${more}\r\n${body}\r\n.\r\n`;
const emails = async () =>
  (await server.db.one(adHoc<{ count: number }>('SELECT count(*) AS count FROM emails'))).count;

async function ready(port: number, to = 'a@example.org'): Promise<RawSession> {
  const session = await RawSession.open(port);
  session.write(`MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
  expect((await session.replies(3)).map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '354']);
  return session;
}

describe('a client', () => {
  it('is offered what there is, and no more', async () => {
    const { port } = await start();
    const session = await RawSession.connect(port);
    session.write('ehlo there\r\n');
    const [offers = ''] = await session.replies(1);
    expect(offers).toContain('250 AUTH PLAIN LOGIN');
    expect(offers).toMatch(/CHUNKING\r\n250-DSN/);
    expect(offers).not.toMatch(/CRAM|STARTTLS|REQUIRETLS|BINARYMIME/);
    expect(await codes(session, 'auth cram-md5', 'VRFY a', 'etrn x')).toEqual([
      '504 5.5.4',
      '252 2.5.0',
      '500 5.5.1',
    ]);
    session.end();
  });

  it('may say everything in one packet, in small letters', async () => {
    const { port } = await start();
    const session = await RawSession.connect(port);
    session.write(
      `ehlo x\r\nmail from:<a@${org.domain}> size=100\r\nrcpt to:<p1@example.org>\r\nrcpt to:<p2@example.org>\r\ndata\r\n`,
    );
    expect((await session.replies(5)).map((reply) => reply.slice(0, 3))).toEqual([
      '250',
      '250',
      '250',
      '250',
      '354',
    ]);
    session.write(message());
    idIn((await session.replies(1))[0] ?? '');
    session.end();
  });

  it('logs in with AUTH LOGIN, and again after a mistake', async () => {
    const { port } = await start();
    const session = await RawSession.open(port);
    expect(await codes(session, 'AUTH LOGIN', 'YQ==', btoa('wrong'))).toEqual([
      '334 VXNlc',
      '334 UGFzc',
      '535 5.7.8',
    ]);
    expect(await codes(session, 'AUTH LOGIN YQ==', '*', 'AUTH PLAIN !', 'AUTH PLAIN')).toEqual([
      '334 UGFzc',
      '501 5.7.0',
      '501 5.5.2',
      '334 '.trim(),
    ]);
    expect(await codes(session, plainKey(org.key), `AUTH PLAIN ${plainKey(org.key)}`)).toEqual([
      '235 2.7.0',
      '503 5.5.1',
    ]);
    session.end();
  });

  it('is kept from guessing keys', async () => {
    const { port } = await start({ receiver: { limits: { wrongKeys: 2 }, exempt: () => false } });
    const wrong = `AUTH PLAIN ${plainKey('guess')}`;
    const session = await RawSession.open(port);
    expect(await codes(session, wrong, wrong, wrong)).toEqual(['535 5.7.8', '535 5.7.8', '535 5.7.8']);
    expect(await codes(session, wrong, `AUTH PLAIN ${plainKey(org.key)}`)).toEqual([
      '454 4.7.0',
      '454 4.7.0',
    ]);
    session.end();
  });

  it('at another address still logs in while one address has guessed too many keys', async () => {
    const { port } = await start({ receiver: { limits: { wrongKeys: 2 }, exempt: () => false } });
    const wrong = `AUTH PLAIN ${plainKey('guess')}`;
    const guessing = await RawSession.open(port, '127.0.0.2');
    expect(await codes(guessing, wrong, wrong, wrong, wrong)).toEqual([
      ...['535 5.7.8', '535 5.7.8', '535 5.7.8', '454 4.7.0'],
    ]);
    const again = await RawSession.open(port, '127.0.0.2');
    expect(await codes(again, wrong)).toEqual(['454 4.7.0']);
    const other = await RawSession.open(port, '127.0.0.3');
    expect(await codes(other, `AUTH PLAIN ${plainKey(org.key)}`)).toEqual(['235 2.7.0']);
    for (const session of [guessing, again, other]) session.end();
  });

  it('cannot say a password, or anything that matters, in clear where TLS is there', async () => {
    const { port } = await start({ live: true });
    const session = await RawSession.connect(port);
    session.write('EHLO x\r\n');
    const [offers = ''] = await session.replies(1);
    expect(offers).toContain('STARTTLS');
    expect(offers).not.toContain('AUTH');
    expect(
      await codes(session, `AUTH PLAIN ${plainKey(org.key)}`, 'AUTH LOGIN', 'MAIL FROM:<a@b.test>'),
    ).toEqual(['538 5.7.1', '538 5.7.1', '538 5.7.1']);
    session.write('STARTTLS\r\nMAIL FROM:<a@b.test>\r\n');
    expect((await session.replies(1))[0]).toMatch(/^503/);
    await session.closed();
  });

  it('that speaks HTTP gets a reply that says so, and nothing in its request is obeyed', async () => {
    const { port } = await start();
    const before = await emails();
    for (const method of ['GET', 'POST', 'put', 'OPTIONS']) {
      const session = await RawSession.open(port);
      const smuggled = `MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<a@example.org>\r\nDATA\r\n${message()}`;
      session.write(`${method} / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\nEHLO x\r\n${smuggled}`);
      expect(await session.replies(1)).toEqual(['421 4.7.0 This is a mail server: it speaks SMTP, not HTTP']);
      await session.closed();
    }
    expect(await emails()).toBe(before);
  });

  it('whose key is revoked sends nothing more over the connection it has', async () => {
    const { port } = await start();
    const made = await server.api('POST', '/api-keys', { name: 'short', scope: 'send' }, org.key);
    const session = await RawSession.open(port);
    expect(
      await codes(session, `AUTH PLAIN ${plainKey(made.body.data.key)}`, 'MAIL FROM:<>', 'RSET'),
    ).toEqual(['235 2.7.0', '250 2.1.0', '250 2.0.0']);
    await server.api('DELETE', `/api-keys/${made.body.data.id}`, undefined, org.key);
    await expect
      .poll(async () => (await codes(session, 'MAIL FROM:<>', 'RSET'))[0], { interval: 200 })
      .toBe('535 5.7.8');
    session.end();
  });

  it('whose key is revoked while it sends a message has not sent that message', async () => {
    const { port } = await start();
    const made = await server.api('POST', '/api-keys', { name: 'short', scope: 'send' }, org.key);
    const before = await emails();
    const session = await RawSession.open(port);
    await codes(session, `AUTH PLAIN ${plainKey(made.body.data.key)}`, `MAIL FROM:<a@${org.domain}>`);
    expect(await codes(session, 'RCPT TO:<a@example.org>', 'DATA')).toEqual([
      '250 2.1.5',
      expect.any(String),
    ]);
    await server.api('DELETE', `/api-keys/${made.body.data.id}?mail=withdraw`, undefined, org.key);
    session.write(message());
    expect((await session.replies(1))[0]).toMatch(/^535 5\.7\.8/);
    expect(await emails()).toBe(before);
    session.end();
  });
});

describe('a message', () => {
  it.each([
    ['LF dot LF', 'x\n.\nMAIL FROM:<evil@x.test>\nRCPT TO:<b@example.org>\nDATA\nFrom: evil'],
    ['LF dot CRLF', 'x\n.\r\nMAIL FROM:<evil@x.test>\r\nRCPT TO:<b@example.org>'],
    ['CR dot CR', 'x\r.\rMAIL FROM:<evil@x.test>'],
    ['CRLF dot LF', 'x\r\n.\nMAIL FROM:<evil@x.test>'],
    ['a bare LF', 'x\ny'],
    ['NUL', 'x\0y'],
  ])('does not end with %s, and is refused with it', async (_what, body) => {
    const { port } = started[0] ?? (await start());
    const before = await emails();
    const session = await ready(port);
    session.write(message('', body));
    expect((await session.replies(1))[0]).toMatch(/^554 5\.6\.0 The message has a /);
    expect(await codes(session, 'NOOP')).toEqual(['250 2.0.0']);
    expect(await emails()).toBe(before);
    session.end();
  });

  it.each([
    ['no From', 'Subject: x\r\n\r\nx\r\n.\r\n', 'no From field'],
    ['two From', 'From: a@b.test\r\nFrom: c@d.test\r\n\r\nx\r\n.\r\n', 'more than one field From'],
    ['two addresses in From', 'From: a@b.test, c@d.test\r\n\r\nx\r\n.\r\n', 'must have exactly one address'],
    [
      'a From that hides another',
      'From: <a@b.test> <c@d.test>\r\n\r\nx\r\n.\r\n',
      'From field must have exactly one address',
    ],
    ['a group in From', 'From: Team: a@b.test;\r\n\r\nx\r\n.\r\n', 'no group'],
    ['a route in From', 'From: <@c.test:a@b.test>\r\n\r\nx\r\n.\r\n', 'route before its address'],
    ['an address in a comment of From', 'From: a@b.test (c@d.test)\r\n\r\nx\r\n.\r\n', 'has a comment'],
    [
      'an address in an encoded word of From',
      'From: =?utf-8?Q?c=40d.test?= <a@b.test>\r\n\r\nx\r\n.\r\n',
      'encoded word that can be mistaken',
    ],
    ['a blank before the colon of From', 'From : a@b.test\r\n\r\nx\r\n.\r\n', 'colon right after its name'],
    [
      'two addresses in Sender',
      'From: a@b.test\r\nSender: a@b.test, ceo@bank.test\r\n\r\nx\r\n.\r\n',
      'Sender field must have exactly one address',
    ],
    [
      'a Sender without an address',
      'From: a@b.test\r\nSender: ceo\r\n\r\nx\r\n.\r\n',
      'The Sender field has an address',
    ],
    [
      'a Sender from elsewhere',
      'From: a@b.test\r\nSender: ceo@bank.test\r\n\r\nx\r\n.\r\n',
      'Sender must be at the domain',
    ],
    ['a loop behind it', `From: a@b.test\r\n${'Received: x\r\n'.repeat(51)}\r\nx\r\n.\r\n`, 'a mail loop'],
    [
      'a loop over us behind it',
      'From: a@b.test\r\nReceived: x\r\nX-Postrider-Hops: 50\r\n\r\nx\r\n.\r\n',
      'a mail loop',
    ],
    ['no header', 'just text\r\n.\r\n', 'has no field in line 1'],
    [
      'two subjects',
      'From: a@b.test\r\nSubject: a\r\nsubject: b\r\n\r\nx\r\n.\r\n',
      'more than one field Subject',
    ],
    [
      'eleven to reply to',
      `From: a@b.test\r\nReply-To: ${Array.from({ length: 11 }, (_, n) => `r${n}@b.test`).join(', ')}\r\n\r\nx\r\n.\r\n`,
      'Reply-To field must not have more than 10',
    ],
    [
      'two ways to unsubscribe',
      'From: a@b.test\r\nList-Unsubscribe: <https://x.test>\r\nX-Postrider-Unsubscribe: true\r\n\r\nx\r\n.\r\n',
      'leave one of them out',
    ],
    [
      'a signature and a wish for tracking',
      'From: a@b.test\r\nX-Postrider-Track-Opens: true\r\nContent-Type: application/pkcs7-mime\r\n\r\nx\r\n.\r\n',
      'cannot be tracked',
    ],
  ])('with %s is refused in words', async (_what, data, words) => {
    const { port } = started[0] ?? (await start());
    const session = await ready(port);
    session.write(data);
    expect((await session.replies(1))[0]).toMatch(new RegExp(`^554 5\\.6\\.0 .*${words}`));
    session.end();
  });

  it('may not be too large, whether it says so or not', async () => {
    const { port } = await start({ receiver: { maxMessageBytes: 1_000 } });
    const session = await RawSession.open(port);
    expect(await codes(session, 'MAIL FROM:<> SIZE=1001')).toEqual(['552 5.3.4']);
    expect(await codes(session, 'MAIL FROM:<>', 'RCPT TO:<a@example.org>', 'DATA')).toEqual([
      '250 2.1.0',
      '250 2.1.5',
      '354 End d',
    ]);
    session.write(message('', 'x'.repeat(1_100)));
    expect((await session.replies(1))[0]).toMatch(/^552 5\.3\.4/);
    expect(await codes(session, 'MAIL FROM:<>')).toEqual(['250 2.1.0']);
    session.end();
  });

  it('waits its turn when large ones take all the room, and small ones do not', async () => {
    const { port } = await start({ receiver: { memoryBytes: 600_000 } });
    const holding = await ready(port);
    holding.write(`From: a@${org.domain}\r\n\r\n${'x'.repeat(100_000)}\r\n`);
    const second = await ready(port);
    await expect
      .poll(async () => {
        second.write(`From: a@${org.domain}\r\n\r\n${'x'.repeat(200_000)}\r\n.\r\n`);
        const [reply = ''] = await second.replies(1);
        await codes(second, `MAIL FROM:<>`, 'RCPT TO:<a@example.org>', 'DATA');
        return reply.slice(0, 9);
      })
      .toBe('452 4.3.1');
    second.write(message());
    idIn((await second.replies(1))[0] ?? '');
    holding.write('.\r\n');
    idIn((await holding.replies(1))[0] ?? '');
    second.end();
    holding.end();
  });

  it('of lines that no server would write is kept as it is', async () => {
    const { port } = started[0] ?? (await start());
    const session = await ready(port);
    const line = 'y'.repeat(100_000);
    session.write(message('', line));
    const id = idIn((await session.replies(1))[0] ?? '');
    const { body } = await server.api('GET', `/emails/${id}/raw`, undefined, org.key);
    expect(body).toBe(`From: a@${org.domain}\r\nSubject: s\r\n\r\n${line}\r\n`);
    session.end();
  });
});

describe('recipients', () => {
  it('are fifty, and the others are told to come again', async () => {
    const { port } = started[0] ?? (await start());
    const session = await RawSession.open(port);
    const recipients = Array.from({ length: 400 }, (_, i) => `RCPT TO:<many-${i}@example.org>\r\n`).join('');
    session.write(`MAIL FROM:<>\r\n${recipients}DATA\r\n`);
    const said = (await session.replies(402)).map((reply) => reply.slice(0, 9));
    expect(said.filter((reply) => reply === '250 2.1.5')).toHaveLength(50);
    expect(said.filter((reply) => reply === '452 4.5.3')).toHaveLength(350);
    expect(said.at(-1)).toBe('354 End d');
    session.write(message());
    const id = idIn((await session.replies(1))[0] ?? '');
    const { data } = (await server.api('GET', `/emails/${id}`, undefined, org.key)).body;
    expect(data.recipients).toHaveLength(50);
    session.end();
  });

  it('that are no addresses, or named twice, are told apart', async () => {
    const { port } = started[0] ?? (await start());
    const session = await RawSession.open(port);
    expect(
      await codes(
        session,
        'MAIL FROM:<>',
        'RCPT TO:<nobody>',
        'RCPT TO:<a@[192.0.2.1]>',
        'RCPT TO:<>',
        'DATA',
      ),
    ).toEqual(['250 2.1.0', '553 5.1.3', '553 5.1.3', '501 5.5.4', '554 5.5.1']);
    await codes(session, 'RCPT TO:<Twice@example.org>', 'RCPT TO:<twice@example.org>', 'DATA');
    session.write(message());
    const id = idIn((await session.replies(1))[0] ?? '');
    const { data } = (await server.api('GET', `/emails/${id}`, undefined, org.key)).body;
    expect(data.recipients).toHaveLength(1);
    session.end();
  });

  it('wait when their organization has sent enough in this minute', async () => {
    const nowMs = Date.now();
    const { port } = await start({ env: { POSTRIDER_RATE_LIMIT: '1' }, clock: { nowMs: () => nowMs } });
    const session = await ready(port);
    session.write(message());
    idIn((await session.replies(1))[0] ?? '');
    expect(await codes(session, 'MAIL FROM:<>', 'RCPT TO:<a@example.org>', 'DATA')).toEqual([
      '250 2.1.0',
      '450 4.7.1',
      '554 5.5.1',
    ]);
    session.end();
  });
});

describe('the server', () => {
  it('turns away who has too many connections, and who is silent', async () => {
    const { port } = await start({
      receiver: { limits: { sessionsPerAddress: 2 }, times: { commandMs: 1_500 } },
    });
    const [first, second] = [await RawSession.open(port), await RawSession.open(port)];
    expect((await RawSession.connect(port)).banner).toMatch(/^421 4\.7\.0/);
    expect((await first.replies(1))[0]).toMatch(/^421 4\.4\.2/);
    await first.closed();
    second.end();
  });

  it('says 451 and stores nothing while the database cannot', async () => {
    const { port } = started[0] ?? (await start());
    const session = await ready(port);
    await server.db.exec(adHoc('ALTER TABLE email_contents RENAME TO away'));
    session.write(message('Message-ID: <away@x>\r\n'));
    expect((await session.replies(1))[0]).toMatch(/^451 4\.3\.0/);
    await server.db.exec(adHoc('ALTER TABLE away RENAME TO email_contents'));
    await codes(session, 'MAIL FROM:<>', 'RCPT TO:<a@example.org>', 'DATA');
    session.write(message('Message-ID: <away@x>\r\n'));
    idIn((await session.replies(1))[0] ?? '');
    session.end();
  });

  it('says 452 when the disk is nearly full', async () => {
    const full = async () => ({ bsize: 4096, blocks: 1_000_000, bavail: 10 });
    const { port } = await start({ statfs: full });
    const session = await ready(port);
    session.write(message());
    expect((await session.replies(1))[0]).toMatch(/^452 4\.3\.1/);
    session.end();
  });

  it('counts what it says, and who is there', async () => {
    const metrics = createMetrics('submission');
    const { port } = await start({ metrics });
    const session = await ready(port);
    session.write(message());
    await session.replies(1);
    const text = await metrics.text();
    expect(text).toMatch(/postrider_submission_replies_total\{[^}]*reply="250 2\.0\.0"[^}]*\} 1/);
    expect(text).toMatch(/postrider_submission_sessions(?:\{[^}]*\})? 1/);
    session.end();
  });

  it('lets what is being accepted be accepted when it stops', async () => {
    const submission = await startSubmission(server.database);
    const idle = await RawSession.open(submission.port);
    const session = await ready(submission.port);
    session.write(message());
    idIn((await session.replies(1))[0] ?? '');
    const stopped = submission.stop();
    expect((await idle.replies(1))[0]).toMatch(/^421 4\.3\.2/);
    await stopped;
  });
});
