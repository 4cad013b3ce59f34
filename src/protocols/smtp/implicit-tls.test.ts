import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type SmtpSink, startSmtpSink } from '../../../test/support/smtp-sink.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openConnection, SmtpConnection } from './connection.ts';
import { CutOff } from './cut-off.ts';
import { DEFAULT_DEADLINES } from './deadlines.ts';
import type { SmtpTarget } from './facts.ts';
import { TlsSessions } from './tls-sessions.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Its certificate is signed by nobody that is trusted. */
async function startRelay(): Promise<SmtpSink> {
  const relay = await startSmtpSink({ tlsAtOnce: true, capabilities: ['AUTH PLAIN'] });
  closers.push(() => relay.close());
  return relay;
}

/** The credentials that clients gave, as `user:password`. */
function loginsAt(relay: SmtpSink): string[] {
  return relay.connections
    .flatMap(({ commands }) => commands)
    .flatMap((line) => /^AUTH PLAIN (.+)$/.exec(line)?.[1] ?? [])
    .map((given) => Buffer.from(given, 'base64').toString().split('\0').slice(1).join(':'));
}

function target(port: number, more: Partial<SmtpTarget> = {}): SmtpTarget {
  return {
    host: 'localhost',
    address: '127.0.0.1',
    port,
    tls: 'implicit',
    ehloName: 'sender.example',
    ...more,
  };
}

function open(to: SmtpTarget, deadlines = DEFAULT_DEADLINES): ReturnType<typeof openConnection> {
  return openConnection(to, {
    deadlines,
    clock: systemClock,
    tlsSessions: new TlsSessions(),
    cutOff: new CutOff(),
  });
}

describe('TLS from the first byte', () => {
  it('greets and authenticates inside the tunnel', async () => {
    const relay = await startRelay();
    const connection = await open(target(relay.port, { auth: { user: 'me', password: 'secret' } }));
    expect(connection).toBeInstanceOf(SmtpConnection);
    expect(relay.connections.map(({ tls }) => tls)).toEqual([true]);
    expect(loginsAt(relay)).toEqual(['me:secret']);
    if (connection instanceof SmtpConnection) await connection.quit();
  });

  it('ends before a word is said when the certificate is to be verified and is not trusted', async () => {
    const relay = await startRelay();
    const facts = await open(
      target(relay.port, { verifyCertificate: true, auth: { user: 'me', password: 'secret' } }),
    );
    expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'certificate' });
    expect(loginsAt(relay)).toEqual([]);
  });

  it('never falls back to clear text on a server that speaks it', async () => {
    const server: TcpServer = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 in the clear\r\n');
    });
    server.listen(0, '127.0.0.1');
    closers.push(() => server.close());
    await once(server, 'listening');
    const facts = await open(target((server.address() as AddressInfo).port));
    expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', tls: null });
  });
});
