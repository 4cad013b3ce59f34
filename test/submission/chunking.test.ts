/** Messages that come in chunks (BDAT, RFC 3030), from clients that do it well and from those that do not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { RawSession } from '../sandbox/raw-session.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';

const MAX_BYTES = 100_000;

let server: TestApi;
let org: TestOrganization;
let submission: TestSubmission;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  submission = await startSubmission(server.database, { receiver: { maxMessageBytes: MAX_BYTES } });
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

const messageOf = (body: string) => Buffer.from(`From: a@${org.domain}\r\nSubject: In chunks\r\n\r\n${body}`);

async function say(session: RawSession, text: string | Buffer): Promise<string> {
  session.write(text);
  return (await session.replies(1))[0] ?? '';
}

/** With MAIL and RCPT accepted. */
async function ready(to = 'b@example.org'): Promise<RawSession> {
  const session = await RawSession.open(submission.port);
  session.write(`MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<${to}>\r\n`);
  expect((await session.replies(2)).map((reply) => reply.slice(0, 3))).toEqual(['250', '250']);
  return session;
}

const chunk = (bytes: Buffer, last = '') =>
  Buffer.concat([Buffer.from(`BDAT ${bytes.length}${last}\r\n`), bytes]);

async function storedMime(id: string): Promise<Buffer> {
  const mime = adHoc<{ mime: Buffer }>('SELECT mime FROM email_contents WHERE email_id = $1');
  return (await server.db.one(mime, [id])).mime;
}

describe('a message in chunks', () => {
  it('is stored octet by octet, dots and lines that look like its end included', async () => {
    const mime = messageOf('.\r\n..\r\n.dot\r\nQUIT\r\n\r\n.\r\nend without a line end');
    const session = await ready();
    const cut = 50;
    expect(await say(session, chunk(mime.subarray(0, cut)))).toMatch(/^250 2\.0\.0 Chunk received/);
    const id = idIn(await say(session, chunk(mime.subarray(cut), ' LAST')));
    expect((await storedMime(id)).equals(mime)).toBe(true);
    session.end();
  });

  it('may be sent in one packet with its envelope, and be followed by another', async () => {
    const session = await RawSession.open(submission.port);
    const one = (name: string) =>
      Buffer.concat([
        Buffer.from(`MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<${name}@example.org>\r\n`),
        chunk(messageOf(name), ' last'),
      ]);
    session.write(Buffer.concat([one('one'), one('two')]));
    const replies = await session.replies(6);
    expect(idIn(replies[2] ?? '')).not.toBe(idIn(replies[5] ?? ''));
    session.end();
  });

  it('may end with a chunk of no bytes', async () => {
    const session = await ready();
    await say(session, chunk(messageOf('x')));
    expect(idIn(await say(session, 'BDAT 0 LAST\r\n'))).toBeTypeOf('string');
    session.end();
  });

  it('is forgotten by RSET, and the session goes on', async () => {
    const session = await ready();
    await say(session, chunk(messageOf('forgotten')));
    expect(await say(session, 'RSET\r\n')).toMatch(/^250/);
    session.write(`MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<b@example.org>\r\n`);
    await session.replies(2);
    const mime = messageOf('kept');
    const id = idIn(await say(session, chunk(mime, ' LAST')));
    expect((await storedMime(id)).equals(mime)).toBe(true);
    session.end();
  });

  it('takes neither DATA nor recipients once it has begun', async () => {
    const session = await ready();
    await say(session, chunk(messageOf('x')));
    expect(await say(session, 'DATA\r\n')).toMatch(/^503/);
    expect(await say(session, 'RCPT TO:<c@example.org>\r\n')).toMatch(/^503/);
    expect(idIn(await say(session, 'BDAT 0 LAST\r\n'))).toBeTypeOf('string');
    session.end();
  });
});

describe('a chunk that is refused', () => {
  it('is read to its end, so that nothing in it is taken for a command', async () => {
    const session = await ready();
    const hidden = Buffer.from(`RSET\r\nMAIL FROM:<evil@${org.domain}>\r\n`);
    const big = Buffer.concat([Buffer.alloc(MAX_BYTES, 'x'), hidden]);
    expect(await say(session, chunk(big))).toMatch(/^552 5\.3\.4/);
    expect(await say(session, chunk(hidden, ' LAST'))).toMatch(/^503/);
    expect(await say(session, 'NOOP\r\n')).toMatch(/^250/);
    session.end();
  });

  it('is the one that makes a message too large, however small the chunks are', async () => {
    const session = await ready();
    const half = Buffer.alloc(MAX_BYTES / 2 + 1, 'x');
    expect(await say(session, chunk(half))).toMatch(/^250/);
    expect(await say(session, chunk(half, ' LAST'))).toMatch(/^552/);
    expect(await say(session, 'NOOP\r\n')).toMatch(/^250/);
    session.end();
  });

  it('is one for which no recipient was accepted', async () => {
    const session = await RawSession.open(submission.port);
    await say(session, `MAIL FROM:<a@${org.domain}>\r\n`);
    expect(await say(session, chunk(messageOf('x'), ' LAST'))).toMatch(/^503/);
    expect(await say(session, 'NOOP\r\n')).toMatch(/^250/);
    session.end();
  });
});

describe('the connection is closed after a chunk', () => {
  it.each(['99999999999', '999999999999999999999999', '-1', '0x10', '1e3', '', '5 FIRST', '5LAST'])(
    'of the size "%s"',
    async (size) => {
      const session = await ready();
      expect(await say(session, `BDAT ${size}\r\n`)).toMatch(/^5(?:01|52) /);
      await session.closed();
    },
  );

  it('of a client that has not said who it is', async () => {
    const session = await RawSession.open(submission.port);
    expect(await say(session, 'BDAT 100000\r\n')).toMatch(/^503/);
    await session.closed();
  });
});

it('refuses BODY=BINARYMIME, which is not offered', async () => {
  const session = await RawSession.open(submission.port);
  expect(await say(session, `MAIL FROM:<a@${org.domain}> BODY=BINARYMIME\r\n`)).toMatch(/^555/);
  session.end();
});

it('gives back the memory of a message in chunks whose client has left', async () => {
  const memoryBytes = 3 * MAX_BYTES;
  const small = await startSubmission(server.database, {
    receiver: { maxMessageBytes: MAX_BYTES, memoryBytes },
  });
  for (let i = 0; i < 10; i += 1) {
    const session = await RawSession.open(small.port);
    session.write(`MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<b@example.org>\r\n`);
    await session.replies(2);
    const whole = Buffer.concat([messageOf(''), Buffer.alloc(MAX_BYTES - 1_000, 'x')]);
    expect(await say(session, chunk(whole))).toMatch(/^250/);
    if (i === 9) expect(await say(session, 'BDAT 0 LAST\r\n')).toMatch(/^250/);
    session.end();
    await session.closed();
  }
  await small.stop();
});

it('ends a message in chunks that has stopped coming', async () => {
  const timer = await startSubmission(server.database, { receiver: { times: { messageMs: 300 } } });
  const session = await RawSession.open(timer.port);
  session.write(`MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<b@example.org>\r\n`);
  await session.replies(2);
  await say(session, chunk(messageOf('x')));
  expect((await session.replies(1))[0]).toMatch(/^421 4\.4\.2/);
  await session.closed();
  await timer.stop();
});
