/**
 * A name with several addresses, as `localhost` usually is. The test's addresses are all IPv4, which every
 * machine has.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createNetServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { listenAt, socketFlag } from '../runtime/inherited-sockets.ts';
import { BoundSockets } from './open-ports.ts';

const NOWHERE = '192.0.2.1'; // reserved for documentation: no machine has it

let sockets: BoundSockets;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  sockets.close();
});

const named = (...addresses: string[]) => {
  sockets = new BoundSockets({}, process.pid, async () => addresses);
  return sockets;
};

async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

it('has one server listening on all of them', async () => {
  const place = { host: 'a.name', port: await freePort() };
  const bound = await named('127.0.0.1', '127.0.0.2').bind(place);
  expect(bound).toHaveLength(2);
  const server = createServer((request, response) => response.end(request.socket.localAddress));
  const flags = bound.map(({ fd }) => socketFlag(place, fd));
  servers.push(server, ...(await listenAt(server, place, undefined, flags)));
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const answer = await fetch(`http://${address}:${place.port}/`, { headers: { connection: 'close' } });
    expect(await answer.text()).toBe(address);
  }
});

it('may include addresses that this machine lacks, as long as one works', async () => {
  const place = { host: 'a.name', port: await freePort() };
  expect(await named(NOWHERE, '127.0.0.1').bind(place)).toHaveLength(1);
  await expect(named(NOWHERE).bind(place)).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});

it('is refused when one of them is in use', async () => {
  const other = createNetServer().listen(0, '127.0.0.2');
  servers.push(other);
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const bind = () => named('127.0.0.1', '127.0.0.2').bind({ host: 'a.name', port });
  await expect(bind()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  // Sockets bound before that are released.
  other.close();
  await once(other, 'close');
  expect(await bind()).toHaveLength(2);
});
