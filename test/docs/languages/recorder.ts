/** A server that keeps what it is asked, by who asks: the first two parts of the path. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Who is asking, and what the body is; other headers are the language's own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const KEPT = ['authorization', 'cookie', 'sec-fetch-site'];

export class Recorder {
  readonly requests = new Map<string, RecordedRequest[]>();
  readonly #server;

  constructor(answer: (request: RecordedRequest) => RecordedAnswer) {
    this.#server = createServer(async (incoming, outgoing) => {
      const { caller, request } = await received(incoming);
      this.requests.set(caller, [...(this.requests.get(caller) ?? []), request]);
      const { status, type, text } = answer(request);
      outgoing.writeHead(status, { 'content-type': type }).end(text);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** The address for one caller, such as `php/12`. */
  urlFor(caller: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${caller}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function received(incoming: IncomingMessage): Promise<{ caller: string; request: RecordedRequest }> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const [, caller = '', target = ''] = /^\/([^/]+\/[^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
  const type = text === '' ? {} : { 'content-type': incoming.headers['content-type']?.split(';')[0] ?? '' };
  const kept = KEPT.flatMap((name) => {
    const value = incoming.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const request = {
    method: incoming.method ?? '',
    target,
    headers: { ...Object.fromEntries(kept), ...type },
    body: text === '' ? undefined : JSON.parse(text),
  };
  return { caller, request };
}
