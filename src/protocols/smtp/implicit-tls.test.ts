import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server as TcpServer } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../runtime/clock.ts';
import { openConnection, SmtpConnection } from './connection.ts';
import { CutOff } from './cut-off.ts';
import { DEFAULT_DEADLINES } from './deadlines.ts';
import type { SmtpTarget } from './facts.ts';
import { TlsSessions } from './tls-sessions.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The server of the package brings a certificate of its own, which nobody trusts. */
async function startRelay(): Promise<{ port: number; users: string[] }> {
  const users: string[] = [];
  const server = new SMTPServer({
    secure: true,
    onAuth(auth, _session, callback) {
      users.push(`${auth.username}:${auth.password}`);
      callback(null, { user: auth.username });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await once(server.server, 'listening');
  return { port: (server.server.address() as AddressInfo).port, users };
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
    expect(relay.users).toEqual(['me:secret']);
    if (connection instanceof SmtpConnection) await connection.quit();
  });

  it('ends before a word is said when the certificate is to be verified and is not trusted', async () => {
    const relay = await startRelay();
    const facts = await open(
      target(relay.port, { verifyCertificate: true, auth: { user: 'me', password: 'secret' } }),
    );
    expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'certificate' });
    expect(relay.users).toEqual([]);
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
