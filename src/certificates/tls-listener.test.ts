import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import type { Sql } from '../database/sql.ts';
import { systemClock } from '../runtime/clock.ts';
import type { OpenChallenge } from './challenge-store.ts';
import { OpenChallenges } from './open-challenges.ts';
import { selfSigned } from './self-signed.ts';
import { createTlsListener } from './tls-listener.ts';

const HOST = 'mail.example.org';
const CHALLENGED = 'new.example.org';
const ACME_TLS = 'acme-tls/1';
const context = createSecureContext({ ...selfSigned(HOST, Date.now()) });
const certificates = { find: () => undefined, default: context };
const never = () => new Promise<never>(() => {});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function challengesOf(read: () => Promise<OpenChallenge[]>): OpenChallenges {
  const db = { many: read } as Pick<Sql, 'many'>;
  return new OpenChallenges(db, systemClock);
}

const oneChallenge = () =>
  challengesOf(async () => [{ token: 'token', name: CHALLENGED, key_authorization: 'token.thumbprint' }]);

async function serve(challenges: OpenChallenges | null): Promise<number> {
  const server = createTlsListener({ certificates, challenges }, (socket) => socket.end('served'));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function handshake(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect(
      { host: '127.0.0.1', port, rejectUnauthorized: false, ...options },
      () => resolve(socket),
    );
    socket.once('error', reject);
  });
}

async function servedName(port: number, options: ConnectionOptions): Promise<string | undefined> {
  const socket = await handshake(port, options);
  const subject = socket.getPeerX509Certificate()?.subjectAltName;
  socket.destroy();
  return subject;
}

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;

it.each(VERSIONS)(
  'refuses a validation without a server name with an alert, and keeps serving (%s)',
  async (version) => {
    const port = await serve(oneChallenge());
    const options = { ALPNProtocols: [ACME_TLS], maxVersion: version };
    await expect(handshake(port, options)).rejects.toThrow(/no application protocol/i);
    expect(await servedName(port, { servername: HOST })).toBe(`DNS:${HOST}`);
  },
);

it.each([undefined, false, ''] as const)('finds no challenge for the server name %j', async (name) => {
  const challenges = oneChallenge();
  await challenges.refresh();
  expect(challenges.find(name)).toBeUndefined();
});

it.each(VERSIONS)('answers a validation with the certificate of the challenge (%s)', async (version) => {
  const port = await serve(oneChallenge());
  const options = { ALPNProtocols: [ACME_TLS], servername: CHALLENGED, maxVersion: version };
  expect(await servedName(port, options)).toBe(`DNS:${CHALLENGED}`);
});

it.each(VERSIONS)('completes handshakes while the database does not answer (%s)', async (version) => {
  const port = await serve(challengesOf(never));
  const options = { servername: HOST, maxVersion: version };
  expect(await servedName(port, options)).toBe(`DNS:${HOST}`);
  expect(await servedName(port, { ...options, ALPNProtocols: ['http/1.1'] })).toBe(`DNS:${HOST}`);
});

it('reads no challenges for a TLS 1.3 client that asks for HTTP', async () => {
  let reads = 0;
  const challenges = challengesOf(async () => {
    reads += 1;
    return [];
  });
  const port = await serve(challenges);
  const options = { servername: HOST, minVersion: 'TLSv1.3' } as const;
  await servedName(port, options);
  await servedName(port, { ...options, ALPNProtocols: ['http/1.1'] });
  expect(reads).toBe(0);
});

it('refuses validations where challenges are answered over HTTP', async () => {
  const port = await serve(null);
  const options = { ALPNProtocols: [ACME_TLS], servername: HOST };
  await expect(handshake(port, options)).rejects.toThrow(/no application protocol/i);
  expect(await servedName(port, { servername: HOST, maxVersion: 'TLSv1.2' })).toBe(`DNS:${HOST}`);
});
