import { afterEach, expect, it } from 'vitest';
import {
  fakeTls,
  raw,
  type SinkOptions,
  type SmtpSink,
  startSmtpSink,
} from '../../test/support/smtp-sink.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Envelope, SmtpTarget } from './facts.ts';
import { OpportunisticTls } from './opportunistic-tls.ts';
import { SmtpPool } from './pool.ts';

const ENVELOPE: Envelope = { from: 'bounce@us.test', to: 'you@there.test', smtpUtf8: false };
const WIRE = Buffer.from('Subject: hi\r\n\r\nhello\r\n');
const BROKEN: SinkOptions = { script: { starttls: fakeTls('500 what is this\r\n') } };
const DAY_MS = 24 * 3_600_000;

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

it('sends in clear at once, on a new connection, where the handshake fails', async () => {
  const { sink, tls } = await setUp(BROKEN);
  const facts = await tls.send(targetOf(sink), ENVELOPE, WIRE);
  expect(facts).toMatchObject({ kind: 'accepted', tls: null });
  expect(sink.connections.map((one) => one.commands.includes('STARTTLS'))).toEqual([true, false]);
  expect(facts.transcript).toContain('> STARTTLS');
  expect(facts.transcript.join()).toContain('once more in clear');
});

it('does not try TLS again with that host for three days, and then does', async () => {
  const { sink, tls, pass } = await setUp(BROKEN);
  const visits = () =>
    sink.connections.flatMap((one) => one.commands).filter((one) => one === 'STARTTLS').length;
  await tls.send(targetOf(sink), ENVELOPE, WIRE);
  pass(3 * DAY_MS - 1);
  await tls.send(targetOf(sink), ENVELOPE, WIRE);
  expect(visits()).toBe(1);
  pass(1);
  await tls.send(targetOf(sink), ENVELOPE, WIRE);
  expect(visits()).toBe(2);
});

it('finds the warm connection in clear of a host whose TLS is broken', async () => {
  const { sink, tls } = await setUp(BROKEN);
  const target = targetOf(sink);
  await tls.send(target, ENVELOPE, WIRE);
  expect(tls.warmest([targetOf(sink, { host: 'cold.sink.test' }), target])).toBe(target);
});

it('never sends in clear where TLS is required', async () => {
  const { sink, tls } = await setUp(BROKEN);
  const facts = await tls.send(targetOf(sink, { tls: 'required' }), ENVELOPE, WIRE);
  expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', trouble: 'tls' });
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
  expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', trouble: 'injection' });
  expect(sink.connections).toHaveLength(1);
});
