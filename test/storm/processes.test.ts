import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { connectionsOf } from './processes.ts';

it('counts what a process has not read of a connection, and what is on its way to it', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}); // the client leaves without having read everything
    socket.write(Buffer.alloc(8 * 1024 * 1024));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  await once(client, 'connect');
  const unread = () => connectionsOf(process.pid).get(client.localPort ?? 0) ?? 0;
  // A client that does not read has room for 128 KiB: all beyond that waits at the server's end.
  await expect.poll(unread).toBeGreaterThan(1024 * 1024);
  client.destroy();
  server.close();
});
