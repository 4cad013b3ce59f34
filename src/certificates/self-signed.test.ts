import { X509Certificate } from 'node:crypto';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { selfSigned } from './self-signed.ts';

it('a self-signed certificate names the host, is valid now, and is signed with its own key', () => {
  const { cert } = selfSigned('mail.example.org', Date.now());
  const read = new X509Certificate(cert);
  expect(read.checkHost('mail.example.org')).toBe('mail.example.org');
  expect(read.verify(read.publicKey)).toBe(true);
  expect(Date.parse(read.validFrom)).toBeLessThan(Date.now());
  expect(Date.parse(read.validTo)).toBeGreaterThan(Date.now());
});

it('accepts host names longer than a common name', () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.org`;
  expect(new X509Certificate(selfSigned(host, Date.now()).cert).checkHost(host)).toBe(host);
});

it('serves TLS', async () => {
  const server = createServer({ ...selfSigned('localhost', Date.now()) }, (socket) => socket.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const said = await new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.on('data', (data) => resolve(data.toString())).on('error', reject);
  });
  server.close();
  expect(said).toBe('hello');
});
