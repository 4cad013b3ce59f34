import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  drop,
  gate,
  raw,
  reset,
  type SinkOptions,
  type SinkScript,
  type SmtpSink,
  silent,
  startSmtpSink,
} from '../../../test/support/smtp-sink.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { Deadlines } from './deadlines.ts';
import type { Envelope, SmtpTarget } from './facts.ts';
import { SmtpPool } from './pool.ts';

const ENVELOPE: Envelope = { from: 'bounce@us.test', to: 'you@there.test', smtpUtf8: false };
const WIRE = Buffer.from('Subject: hi\r\n\r\nhello\r\n');
const STEPWISE = ['8BITMIME'];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options);
  closers.push(() => sink.close());
  return sink;
}

function newPool(deadlines: Partial<Deadlines> = {}): SmtpPool {
  const pool = new SmtpPool({ clock: systemClock, deadlines, limits: { stopGraceMs: 200 } });
  closers.push(() => pool.stop());
  return pool;
}

function targetOf(sink: { address: string; port: number }, more: Partial<SmtpTarget> = {}): SmtpTarget {
  return {
    host: 'mx.sink.test',
    address: sink.address,
    port: sink.port,
    tls: 'never',
    ehloName: 'us.test',
    ...more,
  };
}

async function sendTo(script: SinkScript, options: SinkOptions = {}, deadlines: Partial<Deadlines> = {}) {
  const sink = await start({ ...options, script });
  const facts = await newPool(deadlines).send(targetOf(sink), ENVELOPE, WIRE);
  return { sink, facts };
}

describe('a conversation', () => {
  it('sends MAIL, RCPT and DATA in one write where PIPELINING is offered', async () => {
    const held = gate();
    const sink = await start({ script: { mail: held.step } });
    const sending = newPool().send(targetOf(sink), ENVELOPE, WIRE);
    await held.reached;
    const asked = 'MAIL FROM:<bounce@us.test> SIZE=22\r\nRCPT TO:<you@there.test>\r\nDATA\r\n';
    expect(sink.connections[0]?.received.toString()).toBe(`EHLO us.test\r\n${asked}`);
    held.release();
    expect(await sending).toMatchObject({ kind: 'accepted' });
  });

  it('reports an accepted message with the reply, the place and the transcript', async () => {
    const { sink, facts } = await sendTo({});
    expect(facts).toEqual({
      kind: 'accepted',
      reply: { code: 250, enhanced: '2.0.0', text: '2.0.0 taken as 1' },
      host: 'mx.sink.test',
      address: '127.0.0.1',
      port: sink.port,
      tls: null,
      certificate: null,
      reused: false,
      transcript: [
        '< 220 mx.sink.test ESMTP',
        '> EHLO us.test',
        '< 250 mx.sink.test PIPELINING SIZE 10485760 8BITMIME ENHANCEDSTATUSCODES SMTPUTF8',
        '> MAIL FROM:<bounce@us.test> SIZE=22',
        '> RCPT TO:<you@there.test>',
        '> DATA',
        '< 250 2.1.0 sender ok',
        '< 250 2.1.5 recipient ok',
        '< 354 go ahead',
        '> (message, 22 bytes)',
        '< 250 2.0.0 taken as 1',
      ],
    });
    expect(sink.messages[0]).toMatchObject({ from: 'bounce@us.test', to: ['you@there.test'], content: WIRE });
  });

  it('asks one thing at a time where PIPELINING is not offered', async () => {
    const held = gate();
    const sink = await start({ capabilities: STEPWISE, script: { rcpt: held.step } });
    const sending = newPool().send(targetOf(sink), ENVELOPE, WIRE);
    await held.reached;
    const sofar = 'EHLO us.test\r\nMAIL FROM:<bounce@us.test>\r\nRCPT TO:<you@there.test>\r\n';
    expect(sink.connections[0]?.received.toString()).toBe(sofar);
    held.release();
    expect(await sending).toMatchObject({ kind: 'accepted' });
    expect(sink.messages[0]?.content).toEqual(WIRE);
  });

  it('writes the body with exactly the dots and line ends the protocol wants', async () => {
    const sink = await start();
    const hostile = Buffer.from('.a\r\n.\r\nb\n.\nc\rQUIT\r\n..');
    await newPool().send(targetOf(sink), ENVELOPE, hostile);
    const received = sink.connections[0]?.received.toString() ?? '';
    expect(received.slice(received.indexOf('DATA\r\n') + 6)).toBe(
      '..a\r\n..\r\nb\r\n..\r\nc\r\nQUIT\r\n...\r\n.\r\n',
    );
  });

  it('carries a message of several megabytes unharmed', async () => {
    const sink = await start();
    const large = Buffer.from('.0123456789 line of a large message\r\n'.repeat(100_000));
    expect(await newPool().send(targetOf(sink), ENVELOPE, large)).toMatchObject({ kind: 'accepted' });
    expect(sink.messages[0]?.content.equals(large)).toBe(true);
  });

  it('falls back to HELO where EHLO is not understood', async () => {
    const { sink, facts } = await sendTo({ ehlo: '502 5.5.1 what?' });
    expect(facts).toMatchObject({ kind: 'accepted' });
    expect(sink.connections[0]?.commands.slice(0, 3)).toEqual([
      'EHLO us.test',
      'HELO us.test',
      'MAIL FROM:<bounce@us.test>',
    ]);
  });

  it('declares 8-bit content and SMTPUTF8 only when needed', async () => {
    const sink = await start();
    const pool = newPool();
    await pool.send(
      targetOf(sink),
      { ...ENVELOPE, to: 'ü@there.test', smtpUtf8: true },
      Buffer.from('é\r\n'),
    );
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect(sink.messages.map((message) => message.mailLine)).toEqual([
      'MAIL FROM:<bounce@us.test> SIZE=4 BODY=8BITMIME SMTPUTF8',
      'MAIL FROM:<bounce@us.test> SIZE=22',
    ]);
    expect(sink.messages[0]?.to).toEqual(['ü@there.test']);
  });

  it('does not ask for SMTPUTF8 where it is not offered', async () => {
    const sink = await start({ capabilities: ['PIPELINING'] });
    const facts = await newPool().send(targetOf(sink), { ...ENVELOPE, to: 'ü@t.test', smtpUtf8: true }, WIRE);
    expect(facts).toMatchObject({ kind: 'local', problem: 'smtputf8_unsupported', host: 'mx.sink.test' });
    expect(sink.connections[0]?.commands).toEqual(['EHLO us.test']);
  });

  it('does not offer a message larger than the server takes', async () => {
    const sink = await start({ capabilities: ['PIPELINING', 'SIZE 21'] });
    const facts = await newPool().send(targetOf(sink), ENVELOPE, WIRE);
    expect(facts).toMatchObject({
      kind: 'local',
      problem: 'too_large',
      detail: '22 bytes, and the server takes 21',
    });
    expect(sink.connections[0]?.commands).toEqual(['EHLO us.test']);
  });

  it.each([
    ['from', { ...ENVELOPE, from: 'a@b.test>\r\nRCPT TO:<x@y.test' }],
    ['to', { ...ENVELOPE, to: 'a b@c.test' }],
    ['to', { ...ENVELOPE, to: 'a\u0000@c.test' }],
    ['to', { ...ENVELOPE, to: '' }],
    ['to', { ...ENVELOPE, to: 'ü@c.test' }],
  ])('refuses to write an unsafe %s', async (_which, envelope) => {
    const sink = await start();
    await expect(newPool().send(targetOf(sink), envelope, WIRE)).rejects.toThrow(/envelope/);
    expect(sink.connections).toHaveLength(0);
  });

  it('refuses an unsafe EHLO name and a host name as address', async () => {
    const sink = await start();
    const pool = newPool();
    await expect(pool.send(targetOf(sink, { ehloName: 'a\r\nMAIL' }), ENVELOPE, WIRE)).rejects.toThrow(
      /EHLO/,
    );
    await expect(pool.send(targetOf(sink, { address: 'localhost' }), ENVELOPE, WIRE)).rejects.toThrow(
      /IP address/,
    );
  });
});

describe('a refusal', () => {
  const reply = { code: 550, enhanced: '5.7.1', text: '5.7.1 no' };

  it.each([
    ['banner', { banner: '550 5.7.1 no' }, 'banner'],
    ['EHLO and HELO', { ehlo: '550 5.7.1 no', helo: '550 5.7.1 no' }, 'ehlo'],
    ['MAIL', { mail: '550 5.7.1 no' }, 'mail'],
    ['RCPT', { rcpt: '550 5.7.1 no' }, 'rcpt'],
    ['DATA', { data: '550 5.7.1 no' }, 'data'],
    ['the dot', { dot: '550 5.7.1 no' }, 'dot'],
  ] as const)('at %s is reported with its phase, pipelined or not', async (_name, script, phase) => {
    expect((await sendTo(script)).facts).toMatchObject({ kind: 'refused', phase, reply });
    const stepwise = await sendTo(script, { capabilities: STEPWISE });
    expect(stepwise.facts).toMatchObject({ kind: 'refused', phase, reply });
  });

  it('of a 4xx EHLO is not answered with HELO', async () => {
    const { sink, facts } = await sendTo({ ehlo: '450 4.3.2 later' });
    expect(facts).toMatchObject({ kind: 'refused', phase: 'ehlo', reply: { code: 450 } });
    await sink.waitForClosed(1);
    expect(sink.connections[0]?.commands).toEqual(['EHLO us.test', 'QUIT']);
  });

  it('with 421 counts even when the server hangs up at once', async () => {
    const { facts } = await sendTo({ rcpt: drop('421 4.3.2 going down') });
    expect(facts).toMatchObject({ kind: 'refused', phase: 'rcpt', reply: { code: 421, enhanced: '4.3.2' } });
  });

  it('of the recipient answered with 354 gets an empty body, and the connection is used again', async () => {
    const sink = await start({
      script: { rcpt: ({ visit }) => (visit === 1 ? '550 5.1.1 who?' : agreeing), data: '354 go' },
    });
    const pool = newPool();
    expect(await pool.send(targetOf(sink), ENVELOPE, WIRE)).toMatchObject({ kind: 'refused', phase: 'rcpt' });
    expect(sink.connections[0]?.received.toString()).toMatch(/DATA\r\n\.\r\n$/);
    expect(await pool.send(targetOf(sink), ENVELOPE, WIRE)).toMatchObject({ kind: 'accepted', reused: true });
    expect(sink.connections[0]?.commands).not.toContain('RSET');
  });

  it('of the sender with the recipient accepted and 354 closes rather than send an empty message', async () => {
    const { sink, facts } = await sendTo({ mail: '550 5.7.1 no', rcpt: '250 ok', data: '354 go' });
    expect(facts).toMatchObject({ kind: 'refused', phase: 'mail' });
    await sink.waitForClosed(1);
    expect(sink.messageCount).toBe(0);
  });

  it.each([
    ['pipelined', undefined],
    ['step by step', STEPWISE],
  ])('of the recipient is cleared with RSET before the next message, %s', async (_how, capabilities) => {
    const script: SinkScript = { rcpt: ({ visit }) => (visit === 1 ? '550 5.1.1 who?' : agreeing) };
    const sink = await start({ script, ...(capabilities ? { capabilities } : {}) });
    const pool = newPool();
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    const second = await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect(second).toMatchObject({ kind: 'accepted', reused: true });
    expect(sink.connections[0]?.commands.filter((line) => line === 'RSET')).toHaveLength(1);
  });

  it('in the middle of a large body is believed, and is not after the dot', async () => {
    const script: SinkScript = { data: raw('354 go\r\n552 5.3.4 enough\r\n') };
    const { facts } = await sendTo(script);
    expect(facts).toMatchObject({ kind: 'refused', phase: 'body', reply: { code: 552 } });
  });
});

describe('a broken conversation', () => {
  const phases = ['banner', 'ehlo', 'mail', 'rcpt', 'data', 'dot'] as const;

  it.each(phases)('closed at %s says so', async (phase) => {
    const { facts } = await sendTo({ [phase]: drop() });
    expect(facts).toMatchObject({ kind: 'broken', phase, failure: 'closed', afterDot: phase === 'dot' });
  });

  // A reset in place of the banner may overtake the connection itself.
  it.each(phases.slice(1))('reset at %s says so', async (phase) => {
    const { facts } = await sendTo({ [phase]: reset() }, { capabilities: STEPWISE });
    expect(facts).toMatchObject({ kind: 'broken', phase, failure: 'reset', afterDot: phase === 'dot' });
  });

  it.each(phases)('with no answer at %s times out', async (phase) => {
    const short = { [`${phase}Ms`]: 20 };
    const { facts } = await sendTo({ [phase]: silent() }, { capabilities: STEPWISE }, short);
    expect(facts).toMatchObject({ kind: 'broken', phase, failure: 'timeout', afterDot: phase === 'dot' });
  });

  it.each(phases)('with garbage at %s says so', async (phase) => {
    const { facts } = await sendTo({ [phase]: raw('<html>\r\n') });
    expect(facts).toMatchObject({ kind: 'broken', phase, failure: 'garbage', afterDot: phase === 'dot' });
  });

  it('by a reply without end is cut off as garbage', async () => {
    const { facts } = await sendTo({ ehlo: raw('250-x\r\n'.repeat(100_000)) });
    expect(facts).toMatchObject({ kind: 'broken', phase: 'ehlo', failure: 'garbage' });
  });

  it('by a trickle of bytes still meets the deadline', async () => {
    const { facts } = await sendTo({ banner: raw('220-still here\r\n220-and') }, {}, { bannerMs: 30 });
    expect(facts).toMatchObject({ kind: 'broken', phase: 'banner', failure: 'timeout' });
  });

  it.each([
    ['data', '250 sure'],
    ['mail', '354 go'],
    ['dot', '354 more'],
  ] as const)('by an answer that does not fit %s is garbage', async (phase, answer) => {
    const { facts } = await sendTo({ [phase]: answer });
    expect(facts).toMatchObject({ kind: 'broken', phase, failure: 'garbage', afterDot: phase === 'dot' });
  });

  it('does not take an early 250 for the answer to the dot', async () => {
    const { facts } = await sendTo({ data: raw('354 go\r\n250 thanks\r\n') });
    expect(facts).toMatchObject({ kind: 'broken', phase: 'body', failure: 'garbage', afterDot: false });
  });

  it('when the server stops reading a large body times out before the dot', async () => {
    const server = createServer((socket) => {
      closers.push(async () => void socket.destroy());
      socket.on('error', () => {});
      socket.write('220 hi\r\n250 PIPELINING\r\n250 ok\r\n250 ok\r\n354 go\r\n');
      socket.pause();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(async () => void server.close());
    const { port } = server.address() as { port: number };
    const large = Buffer.alloc(20_000_000, 'x'.repeat(70).concat('\r\n'));
    const facts = await newPool({ bodyBlockMs: 50 }).send(
      targetOf({ address: '127.0.0.1', port }),
      ENVELOPE,
      large,
    );
    expect(facts).toMatchObject({ kind: 'broken', phase: 'body', failure: 'timeout', afterDot: false });
  });

  it('that never began names why', async () => {
    const sink = await start();
    const target = targetOf(sink);
    await sink.close();
    closers.splice(0);
    expect(await newPool().send(target, ENVELOPE, WIRE)).toMatchObject({
      kind: 'broken',
      phase: 'connect',
      failure: 'refused',
      tls: null,
      reused: false,
    });
  });
});

const agreeing = { act: 'agree' } as const;

describe('a message that is called off', () => {
  it.each([
    ['small', WIRE],
    ['large', Buffer.concat([WIRE, Buffer.alloc(200_000, 'line of text\r\n')])],
  ])('right before its final dot is never handed over: a %s one', async (_size, wire) => {
    const sink = await start();
    const facts = await newPool().send(targetOf(sink), ENVELOPE, wire, () => false);
    expect(facts).toMatchObject({ kind: 'broken', phase: 'body', failure: 'stopped', afterDot: false });
    const [connection] = await sink.waitForClosed(1);
    expect(connection?.received.toString('latin1')).not.toContain('\r\n.\r\n');
    expect(sink.messageCount).toBe(0);
  });

  it('is asked about when everything else is agreed, and no earlier', async () => {
    const held = gate();
    const sink = await start({ script: { data: held.step } });
    let asked = false;
    const sending = newPool().send(targetOf(sink), ENVELOPE, WIRE, () => {
      asked = true;
      return true;
    });
    await held.reached;
    expect(asked).toBe(false);
    held.release();
    expect(await sending).toMatchObject({ kind: 'accepted' });
    expect(asked).toBe(true);
  });
});
