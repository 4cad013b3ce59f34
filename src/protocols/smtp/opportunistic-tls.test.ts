import { afterEach, expect, it } from 'vitest';
import {
  fakeTls,
  raw,
  type SinkOptions,
  type SmtpSink,
  startSmtpSink,
} from '../../../test/support/smtp-sink.ts';
import type { Clock } from '../../runtime/clock.ts';
import { systemClock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import type { Envelope, SmtpTarget } from './facts.ts';
import { OpportunisticTls } from './opportunistic-tls.ts';
import { SmtpPool } from './pool.ts';

const ENVELOPE: Envelope = { from: 'bounce@us.test', to: 'you@there.test', smtpUtf8: false };
const WIRE = Buffer.from('Subject: hi\r\n\r\nhello\r\n');
const BROKEN: SinkOptions = { script: { starttls: fakeTls('500 what is this\r\n') } };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(options: SinkOptions) {
  const sink = await startSmtpSink({ capabilities: ['PIPELINING', 'STARTTLS'], ...options });
  const pool = new SmtpPool({ clock: systemClock });
  closers.push(
    () => sink.close(),
    () => pool.stop(),
  );
  let nowMs = 0;
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  const clock: Clock = { ...systemClock, nowMs: () => nowMs };
  return { sink, tls: new OpportunisticTls(pool, clock), pass };
}

function targetOf(sink: SmtpSink, more: Partial<SmtpTarget> = {}): SmtpTarget {
  const { address, port } = sink;
  return { host: 'mx.sink.test', address, port, tls: 'opportunistic', ehloName: 'us.test', ...more };
}

async function sendTimes(times: number, tls: OpportunisticTls, target: SmtpTarget): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) await tls.send(target, ENVELOPE, WIRE);
}

function handshakes(sink: SmtpSink): number {
  return sink.connections.flatMap((one) => one.commands).filter((one) => one === 'STARTTLS').length;
}

it('sends in clear at once, on a new connection, where the handshake fails', async () => {
  const { sink, tls } = await setUp(BROKEN);
  const facts = await tls.send(targetOf(sink), ENVELOPE, WIRE);
  expect(facts).toMatchObject({ kind: 'accepted', tls: null });
  expect(sink.connections.map((one) => one.commands.includes('STARTTLS'))).toEqual([true, false]);
  expect(facts.transcript).toContain('> STARTTLS');
  expect(facts.transcript.join()).toContain('once more in clear');
});

it('tries TLS again with the next message after one broken handshake', async () => {
  const { sink, tls } = await setUp(BROKEN);
  await tls.send(targetOf(sink), ENVELOPE, WIRE);
  sink.script = {};
  expect(await tls.send(targetOf(sink), ENVELOPE, WIRE)).toMatchObject({
    kind: 'accepted',
    tls: expect.stringMatching(/^TLSv1/),
  });
});

it('leaves TLS alone for ten minutes after three broken handshakes, and then tries it again', async () => {
  const { sink, tls, pass } = await setUp(BROKEN);
  await sendTimes(3, tls, targetOf(sink));
  pass(10 * MINUTE_MS - 1);
  await tls.send(targetOf(sink), ENVELOPE, WIRE);
  expect(handshakes(sink)).toBe(3);
  pass(1);
  await tls.send(targetOf(sink), ENVELOPE, WIRE);
  expect(handshakes(sink)).toBe(4);
});

it('does not add up broken handshakes that lie far apart', async () => {
  const { sink, tls, pass } = await setUp(BROKEN);
  for (let nth = 0; nth < 5; nth += 1) {
    await tls.send(targetOf(sink), ENVELOPE, WIRE);
    pass(10 * MINUTE_MS);
  }
  expect(handshakes(sink)).toBe(5);
});

it('counts anew after a handshake that worked', async () => {
  const { sink, tls } = await setUp(BROKEN);
  await sendTimes(2, tls, targetOf(sink));
  sink.script = {};
  await tls.send(targetOf(sink), ENVELOPE, WIRE);
  sink.script = BROKEN.script ?? {};
  // A group of its own, so that no connection with TLS is left over to be used again.
  await sendTimes(2, tls, targetOf(sink, { group: 'another' }));
  expect(handshakes(sink)).toBe(5);
  await tls.send(targetOf(sink, { group: 'another' }), ENVELOPE, WIRE);
  expect(handshakes(sink)).toBe(6);
});

it('holds a broken handshake against one machine of a host and not against the others', async () => {
  const { sink, tls } = await setUp(BROKEN);
  await sendTimes(3, tls, targetOf(sink));
  const other = await startSmtpSink({ capabilities: ['PIPELINING', 'STARTTLS'] });
  closers.push(() => other.close());
  expect(await tls.send(targetOf(other), ENVELOPE, WIRE)).toMatchObject({
    kind: 'accepted',
    tls: expect.stringMatching(/^TLSv1/),
  });
});

it('finds the warm connection in clear of a host whose TLS is broken', async () => {
  const { sink, tls } = await setUp(BROKEN);
  const target = targetOf(sink);
  await sendTimes(3, tls, target);
  expect(tls.warmest([targetOf(sink, { host: 'cold.sink.test' }), target])).toBe(target);
});

it('never sends in clear where TLS is required', async () => {
  const { sink, tls } = await setUp(BROKEN);
  const facts = await tls.send(targetOf(sink, { tls: 'required' }), ENVELOPE, WIRE);
  expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'tls' });
  expect(sink.messageCount).toBe(0);
  // What it learned about the host is for opportunistic mail only, and it learned nothing here.
  const script = { starttls: '220 go' };
  sink.script = script;
  expect(await tls.send(targetOf(sink, { tls: 'required' }), ENVELOPE, WIRE)).toMatchObject({
    kind: 'accepted',
    tls: expect.stringMatching(/^TLSv1/),
  });
});

it('never answers injected plaintext with the message in clear', async () => {
  const { sink, tls } = await setUp({ script: { starttls: raw('220 go\r\n250 injected\r\n') } });
  const facts = await tls.send(targetOf(sink), ENVELOPE, WIRE);
  expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'injection' });
  expect(sink.connections).toHaveLength(1);
});
