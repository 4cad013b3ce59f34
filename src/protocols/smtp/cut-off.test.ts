/** A pool that is called off: what has no final dot yet is cut off, what has one is left alone. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  gate,
  type SinkConnection,
  type SinkPhase,
  type SmtpSink,
  startSmtpSink,
} from '../../../test/support/smtp-sink.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { Envelope, SmtpTarget } from './facts.ts';
import { SmtpPool } from './pool.ts';

const ENVELOPE: Envelope = { from: 'bounce@us.test', to: 'you@there.test', smtpUtf8: false };
const WIRE = Buffer.from('Subject: hi\r\n\r\nhello\r\n');

let sink: SmtpSink;
const pool = () => new SmtpPool({ clock: systemClock, limits: { stopGraceMs: 100 } });
afterEach(() => sink.close());

function target(): SmtpTarget {
  const { address, port } = sink;
  return { host: 'mx.sink.test', address, port, tls: 'never', ehloName: 'us.test' };
}

describe('SmtpPool.rollBackMove', () => {
  it.each<SinkPhase>(['banner', 'ehlo', 'mail', 'rcpt', 'data'])(
    'cuts off a message whose server has not answered %s',
    async (phase) => {
      const held = gate();
      sink = await startSmtpSink({ script: { [phase]: held.step } });
      const called = pool();
      const sending = called.send(target(), ENVELOPE, WIRE);
      await held.reached;
      expect(called.awaitedReplies).toBe(0);
      called.rollBackMove();
      expect(await sending).toMatchObject({ kind: 'broken', failure: 'stopped', afterDot: false });
      held.release();
      await called.stop();
    },
  );

  it('leaves a message alone after its final dot, until the server answers', async () => {
    const held = gate();
    sink = await startSmtpSink({ script: { dot: held.step } });
    const called = pool();
    const sending = called.send(target(), ENVELOPE, WIRE);
    await held.reached;
    called.rollBackMove();
    expect(called.awaitedReplies).toBe(1);
    const replied = called.allReplied();
    held.release();
    await replied;
    expect(await sending).toMatchObject({ kind: 'accepted' });
    expect(called.awaitedReplies).toBe(0);
    await called.stop();
  });

  it('cuts off the second message of a connection whose first one was delivered', async () => {
    const held = gate();
    sink = await startSmtpSink();
    const called = pool();
    await called.send(target(), ENVELOPE, WIRE);
    sink.script = { mail: held.step };
    const second = called.send(target(), ENVELOPE, WIRE);
    await held.reached;
    called.rollBackMove();
    expect(await second).toMatchObject({ kind: 'broken', failure: 'stopped', afterDot: false, reused: true });
    held.release();
    await called.stop();
  });

  it('says QUIT on idle connections and sends nothing more', async () => {
    sink = await startSmtpSink();
    const called = pool();
    await called.send(target(), ENVELOPE, WIRE);
    called.rollBackMove();
    const ended = (await sink.waitForClosed(1)).map((one: SinkConnection) => one.ended);
    expect(ended).toEqual(['clean']);
    const late = await called.send(target(), ENVELOPE, WIRE);
    expect(late).toMatchObject({ kind: 'broken', phase: 'connect', failure: 'stopped' });
    await called.stop();
  });
});
