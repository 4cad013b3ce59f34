/** One customer's HTTP client: connections that are kept, a time limit, and what was answered. */
import { Agent, request } from 'node:http';
import { KEY } from '../storm/installation.ts';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  /** Instead of JSON, which is what `body` otherwise becomes. */
  readonly csv?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly withKey?: boolean;
}

const WITHIN_MS = 20_000;

export class Client {
  readonly #base: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(base: string) {
    this.#base = base;
  }

  /** Rejects when there was no answer. `path` is below `/api/v1` unless it is a whole address. */
  ask(path: string, ask: Ask = {}): Promise<Reply> {
    const { csv, body } = ask;
    const content = csv ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = csv === undefined ? 'application/json' : 'text/csv';
    return new Promise((resolve, reject) => {
      const sent = request(path.startsWith('http') ? path : `${this.#base}/api/v1${path}`, {
        method: ask.method ?? (content === undefined ? 'GET' : 'POST'),
        agent: this.#agent,
        headers: {
          ...(ask.withKey === false ? {} : { authorization: `Bearer ${KEY}` }),
          ...(content === undefined
            ? {}
            : { 'content-type': type, 'content-length': Buffer.byteLength(content) }),
          ...ask.headers,
        },
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        });
      });
      sent.end(content);
    });
  }

  /** What must work: the `data` of the answer. */
  async must<Data>(path: string, ask: Ask = {}): Promise<Data> {
    const { status, text } = await this.ask(path, ask);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  }

  close(): void {
    this.#agent.destroy();
  }
}
