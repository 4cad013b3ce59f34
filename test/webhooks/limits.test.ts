import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createGuard } from '../../src/protocols/fetch/guard-address.ts';
import { createPoster } from '../../src/webhooks/dispatch/post.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const TIMEOUT_MS = 400;
const rules = {
  plainHttp: true,
  loopback: true,
  privateNetworks: false,
  ownPorts: new Set<number>(),
  databasePorts: [],
};
const nobody = { addresses: async () => ({ kind: 'nxdomain' as const }) };
const poster = createPoster({ guard: createGuard(nobody, rules), timeoutMs: TIMEOUT_MS });

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  poster.close();
  await receiver.close();
});
afterEach(() => {
  receiver.reply = () => 204;
});

const post = (url = receiver.url) => poster.post(url, {}, '{}');

describe('a call', () => {
  it('ends when nobody answers in time', async () => {
    receiver.reply = () => 'hang';
    expect(await post()).toMatchObject({ kind: 'unanswered', error: 'no answer within 0.4 seconds' });
  });

  it('ends in time when the answer never does, and its status counts', async () => {
    const endless = createServer((_request, response) => {
      response.writeHead(200).write('begun');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => endless.once('listening', resolve));
    const { port } = endless.address() as AddressInfo;
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'answered',
      status: 200,
      text: 'begun',
    });
    endless.closeAllConnections();
    endless.close();
  });

  it('reads 16 KB of an answer and hangs up', async () => {
    let sent = 0;
    const flood = createServer((_request, response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * 1024, 'x'))) sent += 16 * 1024;
      };
      response.on('drain', pour);
      pour();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => flood.once('listening', resolve));
    const { port } = flood.address() as AddressInfo;
    const answer = await post(`http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, text: 'x'.repeat(1024) });
    // Under way in the sockets' buffers; far from everything that could have been poured within the time limit.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
    flood.closeAllConnections();
    flood.close();
  });

  it('uses its connection again', async () => {
    const before = receiver.connections;
    for (let n = 0; n < 5; n += 1) expect(await post()).toMatchObject({ status: 204 });
    expect(receiver.connections - before).toBeLessThanOrEqual(1);
  });

  it('is made again when the other side had just closed the connection it kept alive', async () => {
    let calls = 0;
    const timer = createServer((request, response) => {
      calls += 1;
      // The second call meets a connection that is closed at the very moment it comes.
      if (calls === 2) request.socket.destroy();
      else response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => timer.once('listening', resolve));
    const { port } = timer.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    expect(await post(url)).toMatchObject({ status: 204 });
    expect(await post(url)).toMatchObject({ status: 204 });
    expect(calls).toBe(3);
    timer.close();
  });

  it.each(['http://10.0.0.1/', 'http://[fe80::1]/', 'http://169.254.169.254/'])(
    'is not made to %s, whoever saved it',
    async (url) => {
      expect(await post(url)).toMatchObject({
        kind: 'unanswered',
        error: expect.stringMatching(/is not a public address/),
      });
    },
  );
});
