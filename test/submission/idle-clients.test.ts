/** Clients that hold connections to submission without sending mail, from several addresses of 127.0.0.0/8. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
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
const sessions: RawSession[] = [];

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  return () => server.stop();
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.end();
  for (const one of started.splice(0)) await one.stop();
});

async function start(options: TestSubmissionOptions = {}): Promise<TestSubmission> {
  const submission = await startSubmission(server.database, options);
  started.push(submission);
  return submission;
}

async function open(port: number, from: string): Promise<RawSession> {
  const session = await RawSession.open(port, from);
  sessions.push(session);
  return session;
}

async function say(session: RawSession, line: string): Promise<string> {
  session.write(`${line}\r\n`);
  return (await session.replies(1))[0] ?? 'closed';
}

/** Connections of each address that say EHLO and NOOP, and nothing else. */
async function idle(port: number, addresses: readonly string[], each: number): Promise<RawSession[]> {
  const opened: RawSession[] = [];
  for (let i = 0; i < each; i++)
    opened.push(...(await Promise.all(addresses.map((address) => open(port, address)))));
  for (const session of opened.slice(-1)) expect(await say(session, 'NOOP')).toMatch(/^250 /);
  return opened;
}

/** What is said to a client that says these lines in turn until the server hangs up. */
async function lastReplyWhileSaying(session: RawSession, lines: readonly string[]): Promise<string> {
  let said = 0;
  const talk = setInterval(() => session.write(`${lines[said++ % lines.length]}\r\n`), 50);
  let last = '';
  for (let next = await session.replies(1); next.length > 0; next = await session.replies(1))
    last = next[0] as string;
  clearInterval(talk);
  return last;
}

const login = () => `AUTH PLAIN ${Buffer.from(`\0any\0${org.key}`).toString('base64')}`;

async function submit(session: RawSession): Promise<void> {
  expect(await say(session, login())).toMatch(/^235 /);
  await say(session, `MAIL FROM:<a@${org.domain}>`);
  await say(session, 'RCPT TO:<someone@example.org>');
  await say(session, 'DATA');
  idIn(await say(session, `From: a@${org.domain}\r\nSubject: s\r\n\r\nx\r\n.`));
}

describe('submission', () => {
  it('takes mail of a newcomer while four addresses hold 100 idle connections each', async () => {
    const { port } = await start();
    await idle(port, ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'], 100);
    await submit(await open(port, '127.0.0.6'));
  });

  it('gives a client so much time to log in, which other commands do not extend', async () => {
    const { port } = await start({ receiver: { times: { idleMs: 1_000 } } });
    const session = await open(port, '127.0.0.2');
    expect(await lastReplyWhileSaying(session, ['NOOP', 'RSET', 'EHLO again', 'VRFY a'])).toBe(
      '421 4.4.2 Timeout: no AUTH or MAIL was accepted in time; other commands do not extend it',
    );
  });

  it('counts an unanswered challenge of AUTH and a refused key as not logged in', async () => {
    const { port } = await start({ receiver: { times: { idleMs: 1_000 } } });
    const session = await open(port, '127.0.0.2');
    expect(await say(session, `AUTH PLAIN ${Buffer.from('\0a\0wrong').toString('base64')}`)).toMatch(/^535 /);
    expect(await say(session, 'AUTH LOGIN')).toMatch(/^334 /);
    expect((await session.replies(1))[0]).toMatch(/^421 4\.4\.2 Timeout: no AUTH/);
  });

  it('ends a TLS handshake that does not come about in the same time, on both ports', async () => {
    const { port, tlsPort } = await start({ live: true, receiver: { times: { idleMs: 1_000 } } });
    const upgrading = await open(port, '127.0.0.2');
    expect(await say(upgrading, 'STARTTLS')).toMatch(/^220 /);
    const silent = connect({ port: tlsPort, host: '127.0.0.1' });
    await Promise.all([upgrading.closed(), once(silent, 'close')]);
  });

  it('lets a client that has logged in be idle for longer', async () => {
    const { port } = await start({ receiver: { times: { idleMs: 1_000 } } });
    const pooled = await open(port, '127.0.0.2');
    expect(await say(pooled, login())).toMatch(/^235 /);
    await (await open(port, '127.0.0.3')).closed();
    expect(await say(pooled, 'NOOP')).toMatch(/^250 /);
  });

  it('tells the oldest connection that did not log in why it is dropped for a newcomer', async () => {
    const metrics = createMetrics('submission');
    const { port } = await start({ metrics, receiver: { limits: { sessions: 4 } } });
    const pooled = await open(port, '127.0.0.2');
    expect(await say(pooled, login())).toMatch(/^235 /);
    const oldest = await open(port, '127.0.0.3');
    const next = await open(port, '127.0.0.4');
    await open(port, '127.0.0.5');
    await submit(await open(port, '127.0.0.6'));
    expect(await oldest.replies(1)).toEqual([
      '421 4.3.2 Too many connections at the moment, and this one was idle: try again later',
    ]);
    await oldest.closed();
    expect(await say(next, 'NOOP')).toMatch(/^250 /);
    expect(await say(pooled, 'NOOP')).toMatch(/^250 /);
    expect(await metrics.text()).toMatch(
      /postrider_submission_dropped_total\{[^}]*reason="made_room"[^}]*\} 1/,
    );
  });

  it('drops connections that never begin TLS for a newcomer on the other port', async () => {
    const { port, tlsPort } = await start({ live: true, receiver: { limits: { sessions: 4 } } });
    const silent = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((localAddress) =>
      connect({ port: tlsPort, host: '127.0.0.1', localAddress }),
    );
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    const closed = Promise.race(silent.map((socket) => once(socket, 'close')));
    // Whichever the server sees first: one more than it has room for.
    for (const from of ['127.0.0.5', '127.0.0.6', '127.0.0.7']) await open(port, from);
    await closed;
    for (const socket of silent) socket.destroy();
  });

  it('keeps slots for authenticated clients that connections without a login cannot take', async () => {
    const { port } = await start({ receiver: { limits: { sessions: 8 } } });
    const pool = await Promise.all([1, 2].map(() => open(port, '127.0.0.2')));
    for (const session of pool) expect(await say(session, login())).toMatch(/^235 /);
    await idle(port, ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'], 4);
    for (const session of pool) expect(await say(session, 'NOOP')).toMatch(/^250 /);
    await submit(await open(port, '127.0.0.2'));
  });

  it('drops a connection that logged in and then did nothing when all have logged in', async () => {
    const { port } = await start({ receiver: { limits: { sessions: 2 }, times: { idleMs: 500 } } });
    const pool = [await open(port, '127.0.0.2'), await open(port, '127.0.0.3')];
    for (const session of pool) expect(await say(session, login())).toMatch(/^235 /);
    await expect
      .poll(async () => (await RawSession.connect(port, '127.0.0.4')).banner, { interval: 100 })
      .toMatch(/^220 /);
    expect((await (pool[0] as RawSession).replies(1))[0]).toMatch(/^421 4\.3\.2 /);
  });

  it('drops a message that stalls while memory is short', async () => {
    const paces = { hurried: { windowMs: 500, bytes: 10_000_000 }, checkMs: 50 };
    // A message of 200 KB holds between 200 and 300 KB of memory: two of them are more than half.
    const bytes = { memoryBytes: 700_000, maxMessageBytes: 300_000 };
    const { port } = await start({ receiver: { ...bytes, paces } });
    const other = await server.createOrganization();
    const replies: Promise<string[]>[] = [];
    for (const { key, domain } of [org, other]) {
      const session = await open(port, '127.0.0.2');
      await say(session, `AUTH PLAIN ${Buffer.from(`\0any\0${key}`).toString('base64')}`);
      await say(session, `MAIL FROM:<a@${domain}>`);
      await say(session, 'RCPT TO:<someone@example.org>');
      await say(session, 'DATA');
      await session.writeInPieces(Buffer.from('x'.repeat(200_000)), [50_000]);
      replies.push(session.replies(1));
    }
    expect(await Promise.race(replies)).toEqual([
      '421 4.4.2 Timeout: the message arrived too slowly, try again later',
    ]);
  });
});
