/** An HTTP server that gives scripted replies in order, and records the requests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** `hang` never answers, `drop` closes the connection, `break` closes the connection in the middle of an answer. */
export type ScriptedReply =
  | 'hang'
  | 'drop'
  | 'break'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

export interface ScriptedServer {
  readonly url: string;
  readonly asked: readonly AskedRequest[];
  /** Sets the replies. The last reply repeats. */
  script(...replies: ScriptedReply[]): void;
  close(): Promise<void>;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const asked: AskedRequest[] = [];
  let replies: ScriptedReply[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, text: Buffer.concat(chunks).toString() });
    const next = replies.length > 1 ? replies.shift() : replies[0];
    give(response, next ?? { status: 200, body: { data: {} } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    script(...given) {
      replies = given;
      asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function give(response: ServerResponse, reply: ScriptedReply): void {
  if (reply === 'hang') return;
  if (reply === 'drop') {
    response.destroy();
    return;
  }
  if (reply === 'break') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"data":', () => response.destroy());
    return;
  }
  const { status, headers = {}, body = '' } = reply;
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
