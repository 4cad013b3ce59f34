/** Mail servers that hold connections or memory of inbound without delivering, from several addresses of 127.0.0.0/8. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { RawSession } from '../sandbox/raw-session.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startInbound, type TestInbound, type TestInboundOptions } from '../support/inbound.ts';

let server: TestApi;
let org: TestOrganization;
const started: TestInbound[] = [];
const sessions: RawSession[] = [];

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  await server.api('POST', '/inbound/domains', { domain: org.domain }, org.key);
  await server.api('POST', '/inbound/routes', { address: `*@${org.domain}` }, org.key);
  return () => server.stop();
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.end();
  for (const one of started.splice(0)) await one.stop();
});

async function start(options: TestInboundOptions = {}): Promise<TestInbound> {
  const inbound = await startInbound(server.database, { readsNothing: true, ...options });
  started.push(inbound);
  return inbound;
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

async function beginData(session: RawSession): Promise<void> {
  expect(await say(session, 'MAIL FROM:<ada@example.org>')).toMatch(/^250 /);
  expect(await say(session, `RCPT TO:<x@${org.domain}>`)).toMatch(/^250 /);
  expect(await say(session, 'DATA')).toMatch(/^354 /);
}

const LINE = `${'x'.repeat(98)}\r\n`;

/** The reply to a message of so many bytes. */
async function deliver(session: RawSession, bytes = 1_000): Promise<string> {
  await beginData(session);
  return say(session, `From: ada@example.org\r\n\r\n${LINE.repeat(bytes / 100)}.`);
}

describe('inbound', () => {
  it('takes mail of a newcomer while ten addresses hold 40 idle connections each', async () => {
    const { port } = await start();
    await idle(
      port,
      Array.from({ length: 10 }, (_, i) => `127.0.0.${i + 2}`),
      40,
    );
    expect(await deliver(await open(port, '127.0.0.99'))).toMatch(/^250 /);
  });

  it('takes a large message of a newcomer while ten connections of one address stop after 12.7 MB', async () => {
    const { port } = await start();
    const part = LINE.repeat(127_000);
    for (let i = 0; i < 10; i++) {
      const session = await open(port, '127.0.0.2');
      await beginData(session);
      await session.writeInPieces(Buffer.from(part), [1_000_000]);
    }
    expect(await deliver(await open(port, '127.0.0.3'), 1_000_000)).toMatch(/^250 /);
  });

  it('gives a client so much time to begin a message, which other commands do not extend', async () => {
    const { port } = await start({ receiver: { times: { idleMs: 1_000 } } });
    const session = await open(port, '127.0.0.2');
    expect(await lastReplyWhileSaying(session, ['NOOP', 'RSET', 'EHLO again', 'VRFY a'])).toBe(
      '421 4.4.2 Timeout: no MAIL was accepted in time; other commands do not extend it',
    );
  });

  it('does not extend that time for a message that is begun and given up again and again', async () => {
    const { port } = await start({ receiver: { times: { idleMs: 1_000 } } });
    const session = await open(port, '127.0.0.2');
    expect(await lastReplyWhileSaying(session, ['MAIL FROM:<>', 'RSET'])).toMatch(/^421 4\.4\.2 /);
  });

  it('lets a client that has delivered a message be idle for longer', async () => {
    const { port } = await start({ receiver: { times: { idleMs: 1_000 } } });
    const client = await open(port, '127.0.0.2');
    expect(await deliver(client)).toMatch(/^250 /);
    await (await open(port, '127.0.0.3')).closed();
    expect(await say(client, 'NOOP')).toMatch(/^250 /);
  });

  it('tells the oldest connection without a message why it is dropped for a newcomer', async () => {
    const metrics = createMetrics('inbound');
    const { port } = await start({ metrics, limits: { sessions: 4 } });
    const sending = await open(port, '127.0.0.2');
    expect(await say(sending, 'MAIL FROM:<>')).toMatch(/^250 /);
    const oldest = await open(port, '127.0.0.3');
    const next = await open(port, '127.0.0.4');
    await open(port, '127.0.0.5');
    expect(await oldest.replies(1)).toEqual([
      '421 4.3.2 Too many connections at the moment, and this one was idle: try again later',
    ]);
    expect(await say(sending, 'NOOP')).toMatch(/^250 /);
    expect(await say(next, 'NOOP')).toMatch(/^250 /);
    expect(await metrics.text()).toMatch(/postrider_inbound_dropped_total\{[^}]*reason="made_room"[^}]*\} 1/);
  });

  it('keeps slots for addresses that have delivered mail before', async () => {
    const { port } = await start({ limits: { sessions: 4 } });
    const known = await open(port, '127.0.0.2');
    expect(await deliver(known)).toMatch(/^250 /);
    expect(await say(known, 'QUIT')).toMatch(/^221 /);
    await known.closed();
    for (const session of await idle(port, ['127.0.0.3', '127.0.0.4', '127.0.0.5'], 1))
      expect(await say(session, 'MAIL FROM:<>')).toMatch(/^250 /);
    const stranger = await RawSession.connect(port, '127.0.0.6');
    expect(stranger.banner).toBe('421 4.3.2 Too many connections at the moment, try again later');
    expect(await deliver(await open(port, '127.0.0.2'))).toMatch(/^250 /);
  });

  it('drops a message that stalls when all connections are in use', async () => {
    const paces = { hurried: { windowMs: 0, bytes: 1_000_000 }, checkMs: 1_000 };
    const { port } = await start({ limits: { sessions: 2 }, receiver: { paces } });
    const stalled = [await open(port, '127.0.0.2'), await open(port, '127.0.0.3')];
    for (const session of stalled) await beginData(session);
    expect((await RawSession.connect(port, '127.0.0.4')).banner).toMatch(/^220 /);
    expect((await (stalled[0] as RawSession).replies(1))[0]).toMatch(/^421 4\.3\.2 /);
  });

  it('drops messages that stall while memory is short, and gives their memory to others', async () => {
    const paces = { hurried: { windowMs: 500, bytes: 10_000_000 }, checkMs: 50 };
    // A message of 0.9 MB holds between 0.9 and 1.8 MB of memory: two of them are more than half.
    const { port } = await start({ receiver: { memoryBytes: 3_600_000, paces } });
    const replies: Promise<string[]>[] = [];
    for (const from of ['127.0.0.2', '127.0.0.3']) {
      const session = await open(port, from);
      await beginData(session);
      await session.writeInPieces(Buffer.from(LINE.repeat(9_000)), [100_000]);
      replies.push(session.replies(1));
    }
    const reply = '421 4.4.2 Timeout: the message arrived too slowly, try again later';
    expect(await Promise.race(replies)).toEqual([reply]);
    expect(await deliver(await open(port, '127.0.0.4'), 900_000)).toMatch(/^250 /);
  });
});
