/** A server that answers as it is answer, one answer for each request, and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `hang up` ends the connection without an answer; with `silence` nothing comes, until the client goes. */
export type ScriptedAnswer =
  | 'hang up'
  | 'silence'
  | { readonly status: number }
  | { readonly json: unknown }
  | { readonly stream: string };

export class ScriptedServer {
  readonly requests: { readonly target: string; readonly headers: IncomingHttpHeaders }[] = [];
  connections = 0;
  readonly #server: Server;

  private constructor(answers: readonly ScriptedAnswer[]) {
    const left = [...answers];
    this.#server = createServer(async (request, response) => {
      for await (const _ of request);
      this.requests.push({ target: request.url ?? '', headers: request.headers });
      send(response, left.shift() ?? { status: 500 });
    });
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async start(answers: readonly ScriptedAnswer[]): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(answers);
    await new Promise<void>((resolve) => scripted.#server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function send(response: ServerResponse, answer: ScriptedAnswer): void {
  if (answer === 'silence') return;
  if (answer === 'hang up') response.socket?.destroy();
  else if ('status' in answer) response.writeHead(answer.status, { 'retry-after': '0' }).end();
  else if ('json' in answer)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
  else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer.stream);
}
