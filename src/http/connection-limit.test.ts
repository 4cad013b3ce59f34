import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isProxyOrThisMachine, limitConnections } from './connection-limit.ts';

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server?.close();
});

async function start(isExempt: (address: string) => boolean): Promise<{ refused: number }> {
  const seen = { refused: 0 };
  server = createServer((socket) => {
    if (!socket.destroyed) socket.write('hello');
  });
  limitConnections(server, { perAddress: 2, isExempt, onRefused: () => seen.refused++ });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return seen;
}

/** Whether a connection from this address is served. */
async function open(from: string): Promise<{ readonly client: Socket; readonly isServed: boolean }> {
  const { port } = server.address() as { port: number };
  const client = connect({ port, host: '127.0.0.1', localAddress: from });
  clients.push(client);
  client.on('error', () => {});
  const isServed = await Promise.race([
    once(client, 'data').then(() => true),
    once(client, 'close').then(() => false),
  ]);
  return { client, isServed };
}

describe('connections', () => {
  it('of one address are limited, and those of another are served', async () => {
    const seen = await start(() => false);
    const first = await open('127.0.0.2');
    expect([first.isServed, (await open('127.0.0.2')).isServed]).toEqual([true, true]);
    expect((await open('127.0.0.2')).isServed).toBe(false);
    expect((await open('127.0.0.3')).isServed).toBe(true);
    expect(seen.refused).toBe(1);
    first.client.destroy();
    await expect.poll(async () => (await open('127.0.0.2')).isServed).toBe(true);
  });

  it('of an exempt address are not counted', async () => {
    await start((address) => address === '127.0.0.2');
    for (let i = 0; i < 4; i += 1) expect((await open('127.0.0.2')).isServed).toBe(true);
  });

  it.each([
    [false, ['127.0.0.1'], ['10.0.0.1', '192.0.2.1']],
    [true, ['127.0.0.1', '192.0.2.1'], []],
    [['10.0.0.0/8'], ['::1', '10.0.0.1'], ['192.0.2.1', '2001:db8::1']],
  ] as const)('are not counted for proxies that are trusted: %s', (trusted, exempt, counted) => {
    const isExempt = isProxyOrThisMachine(trusted);
    expect(exempt.map((address) => isExempt(address))).toEqual(exempt.map(() => true));
    expect(counted.map((address) => isExempt(address))).toEqual(counted.map(() => false));
  });
});
