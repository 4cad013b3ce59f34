import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import {
  drop,
  fakeTls,
  raw,
  type SinkOptions,
  type SmtpSink,
  silent,
  startSmtpSink,
} from '../../../test/support/smtp-sink.ts';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { Deadlines } from './deadlines.ts';
import type { Envelope, SmtpTarget } from './facts.ts';
import { SmtpPool, type SmtpPoolOptions } from './pool.ts';

const ENVELOPE: Envelope = { from: 'bounce@us.test', to: 'you@there.test', smtpUtf8: false };
const WIRE = Buffer.from('Subject: hi\r\n\r\nhello\r\n');
const OFFERS_TLS = ['PIPELINING', 'STARTTLS', 'AUTH PLAIN LOGIN'];
const AUTH = { user: 'me', password: 'secret' };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink({ capabilities: OFFERS_TLS, ...options });
  closers.push(() => sink.close());
  return sink;
}

function newPool(options: Partial<SmtpPoolOptions> = {}): SmtpPool {
  const pool = new SmtpPool({ clock: systemClock, ...options });
  closers.push(() => pool.stop());
  return pool;
}

function targetOf(sink: SmtpSink, more: Partial<SmtpTarget> = {}): SmtpTarget {
  const { address, port } = sink;
  return { host: 'mx.sink.test', address, port, tls: 'opportunistic', ehloName: 'us.test', ...more };
}

async function sendWith(
  options: SinkOptions,
  more: Partial<SmtpTarget> = {},
  deadlines: Partial<Deadlines> = {},
) {
  const sink = await start(options);
  const facts = await newPool({ deadlines }).send(targetOf(sink, more), ENVELOPE, WIRE);
  return { sink, facts };
}

describe('STARTTLS', () => {
  it('is used where offered, with an unverified certificate, and EHLO is said again', async () => {
    const { sink, facts } = await sendWith({});
    expect(facts).toMatchObject({ kind: 'accepted', tls: expect.stringMatching(/^TLSv1\.3 TLS_/) });
    expect(sink.connections[0]).toMatchObject({ tls: true });
    expect(sink.connections[0]?.commands.slice(0, 3)).toEqual(['EHLO us.test', 'STARTTLS', 'EHLO us.test']);
    expect(sink.messages[0]?.content).toEqual(WIRE);
  });

  it('makes the client forget what was offered in clear', async () => {
    const script = {
      ehlo: ({ connection }: { connection: { tls: boolean } }) =>
        connection.tls ? '250 bare' : '250-x\n250-PIPELINING\n250-SIZE 1\n250 STARTTLS',
    };
    const { sink, facts } = await sendWith({ script });
    expect(facts).toMatchObject({ kind: 'accepted' });
    expect(sink.connections[0]?.commands[3]).toBe('MAIL FROM:<bounce@us.test>');
  });

  it('is left alone in mode never', async () => {
    const { sink, facts } = await sendWith({}, { tls: 'never' });
    expect(facts).toMatchObject({ kind: 'accepted', tls: null });
    expect(sink.connections[0]?.commands).not.toContain('STARTTLS');
  });

  it('that is not offered, or refused, leaves opportunistic mail in clear', async () => {
    expect((await sendWith({ capabilities: ['PIPELINING'] })).facts).toMatchObject({
      kind: 'accepted',
      tls: null,
    });
    const refused = await sendWith({ script: { starttls: '454 4.7.0 not now' } });
    expect(refused.facts).toMatchObject({ kind: 'accepted', tls: null });
  });

  it('that is required and not offered, or refused, sends nothing', async () => {
    const missing = await sendWith({ capabilities: ['PIPELINING'] }, { tls: 'required' });
    expect(missing.facts).toMatchObject({ kind: 'local', problem: 'starttls_not_offered' });
    const refused = await sendWith({ script: { starttls: '454 4.7.0 not now' } }, { tls: 'required' });
    expect(refused.facts).toMatchObject({ kind: 'refused', phase: 'starttls', reply: { code: 454 } });
    expect(missing.sink.messageCount + refused.sink.messageCount).toBe(0);
  });

  it('with somebody who was not checked carries no mail that demands TLS, whatever is promised', async () => {
    const sink = await start({ capabilities: ['PIPELINING', 'STARTTLS', 'REQUIRETLS'] });
    const demanding = { ...ENVELOPE, tls: 'required' } as const;
    for (const tls of ['opportunistic', 'never'] as const) {
      const facts = await newPool().send(targetOf(sink, { tls }), demanding, WIRE);
      expect(facts).toMatchObject({ kind: 'local', problem: 'server_unproven' });
    }
    expect(sink.connections.flatMap(({ commands }) => commands).join()).not.toContain('MAIL');
  });

  it('followed by injected plaintext is broken off', async () => {
    const { sink, facts } = await sendWith({ script: { starttls: raw('220 go\r\n250 injected\r\n') } });
    expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'injection' });
    expect(sink.messageCount).toBe(0);
  });

  it('answered by bytes that are not TLS is failure of the kind tls', async () => {
    const { facts } = await sendWith({ script: { starttls: fakeTls('500 what is this\r\n') } });
    expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'tls', tls: null });
  });

  it('closed or silent during the handshake is reported at phase tls', async () => {
    const closed = await sendWith({ script: { starttls: drop('220 go') } });
    expect(closed.facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'tls' });
    // Among the random bytes of a handshake may be the end of a line: no answer to that either.
    const script = { starttls: raw('220 go\r\n'), other: silent() };
    const stuck = await sendWith({ script }, {}, { tlsMs: 30 });
    expect(stuck.facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'timeout' });
  });

  it('without an answer times out', async () => {
    const { facts } = await sendWith({ script: { starttls: silent() } }, {}, { startTlsMs: 20 });
    expect(facts).toMatchObject({ kind: 'broken', phase: 'starttls', failure: 'timeout' });
  });

  it('with verification refuses an unknown certificate and accepts a trusted one of the right name', async () => {
    const sink = await start();
    const strict = targetOf(sink, { tls: 'required', verifyCertificate: true });
    expect(await newPool().send(strict, ENVELOPE, WIRE)).toMatchObject({
      kind: 'broken',
      phase: 'tls',
      failure: 'certificate',
    });
    const trusting = newPool({ trustedCertificates: TEST_CERTIFICATE });
    expect(await trusting.send(strict, ENVELOPE, WIRE)).toMatchObject({ kind: 'accepted' });
    const otherName = await trusting.send({ ...strict, host: 'mx.other.test' }, ENVELOPE, WIRE);
    expect(otherName).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'certificate' });
  });

  it('tells whether the certificate was verified, under which policy, who issued it, and why not', async () => {
    const unknown = await sendWith({});
    expect(unknown.facts.certificate).toEqual({
      verified: false,
      policy: 'opportunistic',
      issuer: expect.any(String),
      sha256: new X509Certificate(TEST_CERTIFICATE).fingerprint256.replaceAll(':', '').toLowerCase(),
      problem: expect.stringMatching(/self-signed|not trusted/),
    });
    const { sink, facts } = await sendWith({}, { tls: 'never' });
    expect(facts.certificate).toBeNull();
    const trusting = newPool({
      trustedCertificates: TEST_CERTIFICATE,
      limits: { maxMessagesPerConnection: 1 },
    });
    const strict = targetOf(sink, { tls: 'required', verifyCertificate: true, tlsPolicy: 'mta_sts' });
    expect((await trusting.send(strict, ENVELOPE, WIRE)).certificate).toMatchObject({
      verified: true,
      policy: 'mta_sts',
      problem: null,
    });
  });

  it('does not take a resumed session for a certificate that was verified', async () => {
    const sink = await start();
    const pool = newPool({ trustedCertificates: TEST_CERTIFICATE, limits: { maxMessagesPerConnection: 1 } });
    const other = targetOf(sink, { host: 'mx.other.test' });
    const first = await pool.send(other, ENVELOPE, WIRE);
    await sink.waitForClosed(1);
    const second = await pool.send(other, ENVELOPE, WIRE);
    expect(sink.connections.map((connection) => connection.tlsResumed)).toEqual([false, true]);
    expect(first.certificate).toMatchObject({ verified: false, problem: 'made out to another name' });
    expect(second.certificate).toEqual(first.certificate);
  });

  it('resumes the session of the same host on the next connection', async () => {
    const sink = await start();
    const pool = newPool({ limits: { maxMessagesPerConnection: 1 } });
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    await sink.waitForClosed(1);
    await pool.send(targetOf(sink), ENVELOPE, WIRE);
    expect(sink.connections.map((connection) => connection.tlsResumed)).toEqual([false, true]);
  });
});

describe('AUTH', () => {
  it('sends PLAIN over TLS and keeps the secret out of the transcript', async () => {
    const { sink, facts } = await sendWith({}, { auth: AUTH });
    expect(facts).toMatchObject({ kind: 'accepted' });
    const secret = Buffer.from('\0me\0secret').toString('base64');
    expect(sink.connections[0]?.commands).toContain(`AUTH PLAIN ${secret}`);
    expect(facts.transcript.join('\n')).toContain('> AUTH PLAIN (hidden)');
    expect(facts.transcript.join('\n')).not.toContain(secret);
  });

  it('falls back to LOGIN', async () => {
    const script = {
      auth: '334 VXNlcm5hbWU6',
      other: ({ visit }: { visit: number }) => (visit === 1 ? '334 UGFzc3dvcmQ6' : '235 2.7.0 ok'),
    };
    const { sink, facts } = await sendWith(
      { capabilities: ['STARTTLS', 'AUTH LOGIN'], script },
      { auth: AUTH },
    );
    expect(facts).toMatchObject({ kind: 'accepted' });
    expect(sink.connections[0]?.commands.slice(3, 6)).toEqual(['AUTH LOGIN', 'bWU=', 'c2VjcmV0']);
    expect(facts.transcript.join('\n')).not.toContain('c2VjcmV0');
  });

  it('is not attempted in clear unless told', async () => {
    const clear = { tls: 'never', auth: AUTH } as const;
    const { sink, facts } = await sendWith({}, clear);
    expect(facts).toMatchObject({ kind: 'local', problem: 'auth_needs_tls' });
    expect(sink.connections[0]?.commands.join()).not.toContain('AUTH');
    const allowed = await sendWith({}, { ...clear, auth: { ...AUTH, allowWithoutTls: true } });
    expect(allowed.facts).toMatchObject({ kind: 'accepted' });
  });

  it('that fails or is not offered is reported', async () => {
    const wrong = await sendWith({ script: { auth: '535 5.7.8 wrong' } }, { auth: AUTH });
    expect(wrong.facts).toMatchObject({
      kind: 'refused',
      phase: 'auth',
      reply: { code: 535, enhanced: '5.7.8' },
    });
    const missing = await sendWith({ capabilities: ['STARTTLS'] }, { auth: AUTH });
    expect(missing.facts).toMatchObject({ kind: 'local', problem: 'auth_not_offered' });
  });
});
