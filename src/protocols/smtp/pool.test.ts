import { afterEach, describe, expect, it } from 'vitest';
import {
  agree,
  drop,
  gate,
  reset,
  type SinkConnection,
  type SinkOptions,
  type SmtpSink,
  startSmtpSink,
} from '../../../test/support/smtp-sink.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import type { Envelope, SmtpTarget } from './facts.ts';
import { type PoolLimits, SmtpPool } from './pool.ts';

const ENVELOPE: Envelope = { from: 'bounce@us.test', to: 'you@there.test', smtpUtf8: false };
const WIRE = Buffer.from('Subject: hi\r\n\r\nhello\r\n');

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options);
  closers.push(() => sink.close());
  return sink;
}

function newPool(limits: Partial<PoolLimits> = {}, clock: Clock = systemClock): SmtpPool {
  const pool = new SmtpPool({ clock, limits: { stopGraceMs: 100, ...limits } });
  closers.push(() => pool.stop());
  return pool;
}

function targetOf({ address, port }: SmtpSink, more: Partial<SmtpTarget> = {}): SmtpTarget {
  return { host: 'mx.sink.test', address, port, tls: 'never', ehloName: 'us.test', ...more };
}

function many(pool: SmtpPool, target: SmtpTarget, count: number) {
  return Promise.all(Array.from({ length: count }, () => pool.send(target, ENVELOPE, WIRE)));
}

const endings = (connections: readonly SinkConnection[]) => connections.map((connection) => connection.ended);

describe('SmtpPool', () => {
  it('sends the next message over the same connection without another greeting', async () => {
    const sink = await start();
    const pool = newPool();
    const first = await pool.send(targetOf(sink), ENVELOPE, WIRE);
    const second = await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect([first.reused, second.reused]).toEqual([false, true]);
    expect(sink.connections).toHaveLength(1);
    expect(second.transcript[0]).toBe('> MAIL FROM:<bounce@us.test> SIZE=22');
  });

  it('says of a refused connection how many others there were, resting ones too', async () => {
    const full = '421 4.7.0 Too many connections from your address';
    const sink = await start({ script: { banner: ({ visit }) => (visit <= 3 ? agree() : drop(full)) } });
    const pool = newPool();
    await many(pool, targetOf(sink, { group: 'there' }), 3);
    const another = targetOf(sink, { group: 'there', ehloName: 'other.test' });
    expect(await pool.send(another, ENVELOPE, WIRE)).toMatchObject({ kind: 'refused', openBeside: 3 });
  });

  it('opens no more connections than allowed and serves all that wait', async () => {
    const held = gate();
    const sink = await start({ script: { dot: held.step } });
    const sending = many(newPool({ maxConnectionsPerTarget: 3 }), targetOf(sink), 30);
    await held.reached;
    held.release();
    const facts = await sending;
    expect(facts.every((fact) => fact.kind === 'accepted')).toBe(true);
    expect(sink.connections).toHaveLength(3);
    expect(sink.messageCount).toBe(30);
  });

  it('lets the target lower the number of connections', async () => {
    const sink = await start();
    await many(newPool(), targetOf(sink, { maxConnections: 1 }), 10);
    expect(sink.connections).toHaveLength(1);
  });

  it('serves those who wait in the order they came', async () => {
    const sink = await start();
    const pool = newPool({ maxConnectionsPerTarget: 1 });
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(
      names.map((to) => pool.send(targetOf(sink), { ...ENVELOPE, to: `${to}@x.test` }, WIRE)),
    );
    expect(sink.messages.map((message) => message.to[0]?.[0])).toEqual(names);
  });

  it('retires a connection after its share of messages, QUIT riding with the last dot', async () => {
    const sink = await start();
    await many(newPool({ maxConnectionsPerTarget: 1, maxMessagesPerConnection: 2 }), targetOf(sink), 4);
    const closed = await sink.waitForClosed(2);
    expect(endings(closed)).toEqual(['clean', 'clean']);
    expect(closed[0]?.received.toString().endsWith('hello\r\n.\r\nQUIT\r\n')).toBe(true);
    expect(closed[0]?.commands.filter((line) => line === 'QUIT')).toHaveLength(1);
  });

  const refusing = (taken: readonly number[]) => ({
    rcpt: ({ visit }: { visit: number }) => (taken.includes(visit) ? agree() : '450 4.2.0 greylisted'),
  });

  it('retires a connection that refused four in a row, before the server slows it down for its errors', async () => {
    const sink = await start({ script: refusing([]) });
    const facts = await many(newPool({ maxConnectionsPerTarget: 1 }), targetOf(sink), 6);
    expect(facts.map(({ reused }) => reused)).toEqual([false, true, true, true, false, true]);
    expect(endings(await sink.waitForClosed(1))).toEqual(['clean', 'open']);
  });

  it('keeps a connection that takes mail between its refusals', async () => {
    const sink = await start({ script: refusing([4, 8]) });
    await many(newPool({ maxConnectionsPerTarget: 1 }), targetOf(sink), 10);
    expect(sink.connections).toHaveLength(1);
  });

  it('retires a connection that has grown old', async () => {
    const sink = await start();
    let nowMs = 0;
    const pool = newPool({ maxAgeMs: 1000 }, { nowMs: () => nowMs });
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    nowMs = 1001;
    expect(await pool.send(targetOf(sink), ENVELOPE, WIRE)).toMatchObject({ reused: true });
    expect(endings(await sink.waitForClosed(1))).toEqual(['clean']);
  });

  it('says QUIT on a connection that has rested too long', async () => {
    const sink = await start();
    await newPool({ idleMs: 10 }).send(targetOf(sink), ENVELOPE, WIRE);
    expect(endings(await sink.waitForClosed(1))).toEqual(['clean']);
  });

  it.each([
    ['hangs up', drop()],
    ['says 421 and hangs up', drop('421 4.4.2 idle too long')],
  ])('drops a resting connection quietly when the server %s', async (_what, closingReply) => {
    const held = gate();
    const sink = await start({ script: { quit: held.step } });
    const pool = newPool();
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    sink.say(1, closingReply);
    await sink.waitForClosed(1);
    expect(await pool.send(targetOf(sink), ENVELOPE, WIRE)).toMatchObject({
      kind: 'accepted',
      reused: false,
    });
    expect(sink.connections).toHaveLength(2);
    held.release();
  });

  it.each([
    ['FIN', drop()],
    ['a reset', reset()],
    ['421', drop('421 4.4.2 idle too long')],
  ])('meets %s at the first command of a reused connection with a fresh one', async (_what, closingReply) => {
    const sink = await start({ script: { mail: ({ visit }) => (visit === 2 ? closingReply : agree()) } });
    const pool = newPool();
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect(await pool.send(targetOf(sink), ENVELOPE, WIRE)).toMatchObject({
      kind: 'accepted',
      reused: false,
    });
    expect(sink.messageCount).toBe(2);
  });

  it('does not try again when a reused connection breaks later than the first command', async () => {
    const sink = await start({ script: { rcpt: ({ visit }) => (visit === 2 ? drop() : agree()) } });
    const pool = newPool();
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    const facts = await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect(facts).toMatchObject({ kind: 'broken', phase: 'rcpt', failure: 'closed', reused: true });
    expect(sink.connections).toHaveLength(1);
  });

  it('never sends again what was lost after the dot', async () => {
    const sink = await start({ script: { dot: ({ visit }) => (visit === 2 ? drop() : agree()) } });
    const pool = newPool();
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    const facts = await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect(facts).toMatchObject({ kind: 'broken', phase: 'dot', afterDot: true });
    expect(sink.connections).toHaveLength(1);
  });

  it('gives a slot back when a connection cannot be opened', async () => {
    const sink = await start({ script: { banner: ({ visit }) => (visit === 1 ? '554 5.3.2 no' : agree()) } });
    const facts = await many(newPool({ maxConnectionsPerTarget: 1 }), targetOf(sink), 3);
    expect(facts.map((fact) => fact.kind)).toEqual(['refused', 'accepted', 'accepted']);
  });

  it('keeps targets apart that differ in name, address, TLS or credentials', async () => {
    const sink = await start({ capabilities: ['PIPELINING', 'AUTH PLAIN'] });
    const pool = newPool();
    const auth = { user: 'a', password: 'b', allowWithoutTls: true };
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    await pool.send(targetOf(sink, { host: 'mx2.sink.test' }), ENVELOPE, WIRE);
    await pool.send(targetOf(sink, { tls: 'opportunistic' }), ENVELOPE, WIRE);
    await pool.send(targetOf(sink, { auth }), ENVELOPE, WIRE);
    expect(sink.connections).toHaveLength(4);
  });

  it('reaches a sink on another loopback address', async () => {
    const sink = await start({ address: '127.0.0.9' });
    expect(await newPool().send(targetOf(sink), ENVELOPE, WIRE)).toMatchObject({ address: '127.0.0.9' });
  });
});

describe('SmtpPool.stop', () => {
  it('says QUIT on resting connections and turns later sends away', async () => {
    const sink = await start();
    const pool = newPool();
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    await Promise.all([pool.stop(), pool.stop()]);
    expect(endings(await sink.waitForClosed(1))).toEqual(['clean']);
    const late = await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect(late).toMatchObject({ kind: 'broken', phase: 'connect', failure: 'stopped', afterDot: false });
  });

  it('lets a send in hand finish and turns those away that wait', async () => {
    const held = gate();
    const sink = await start({ script: { dot: held.step } });
    const pool = newPool({ maxConnectionsPerTarget: 1, stopGraceMs: 10_000 });
    const sending = many(pool, targetOf(sink), 2);
    await held.reached;
    const stopping = pool.stop();
    held.release();
    await stopping;
    const [first, second] = await sending;
    expect(first).toMatchObject({ kind: 'accepted' });
    expect(second).toMatchObject({ kind: 'broken', failure: 'stopped' });
  });

  it('cuts a send that does not finish in time and says how far it was', async () => {
    const held = gate();
    const sink = await start({ script: { dot: held.step } });
    const pool = newPool({ stopGraceMs: 20 });
    const sending = pool.send(targetOf(sink), ENVELOPE, WIRE);
    await held.reached;
    await pool.stop();
    expect(await sending).toMatchObject({ kind: 'broken', phase: 'dot', failure: 'stopped', afterDot: true });
    held.release();
  });
});
