/**
 * A customer's webhook endpoint: a real HTTP server that keeps the received webhooks. The test decides its answers, and may
 * change them while it runs.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders & Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies and check what they find
  readonly body: any;
  readonly atMs: number;
}

/** `hang` accepts the request and never answers. */
export type Reply =
  | number
  | 'hang'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer };

export interface WebhookReceiver {
  readonly port: number;
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** How many connections were made to it. */
  readonly connections: number;
  reply: (webhook: ReceivedWebhook) => Reply | Promise<Reply>;
  /** Resolves with all received webhooks once `count` of them match. */
  waitFor(count: number, matches?: (webhook: ReceivedWebhook) => boolean): Promise<ReceivedWebhook[]>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const news = new EventEmitter().setMaxListeners(0);
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = request.headers as ReceivedWebhook['headers'];
    const webhook = {
      path: request.url ?? '',
      headers,
      text,
      body: JSON.parse(text) as unknown,
      atMs: Date.now(),
    };
    received.push(webhook);
    news.emit('webhook');
    answer(response, await receiver.reply(webhook));
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const receiver: WebhookReceiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    get connections() {
      return connections;
    },
    reply: () => 204,
    async waitFor(count, matches = () => true) {
      for (;;) {
        const found = received.filter(matches);
        if (found.length >= count) return found;
        await once(news, 'webhook');
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  const { status, headers = {}, body = '' } = typeof reply === 'number' ? { status: reply } : reply;
  response.writeHead(status, headers).end(body);
}
