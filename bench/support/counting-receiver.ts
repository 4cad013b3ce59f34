/** A customer's server for the webhooks bench: notes when each webhook came, and how old its event was. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly port: number;
  /** When each of them came, in milliseconds; those to `/hang` are never answered and not counted. */
  readonly atMs: number[];
  readonly latenciesMs: number[];
  /** Forgets what came, and ends what hangs. */
  reset(): void;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const atMs: number[] = [];
  const latenciesMs: number[] = [];
  const hanging: ServerResponse[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      if (request.url === '/hang') return void hanging.push(response);
      response.writeHead(204).end();
      atMs.push(performance.now());
      latenciesMs.push(Date.now() - Date.parse((JSON.parse(text) as { timestamp: string }).timestamp));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    atMs,
    latenciesMs,
    reset() {
      for (const response of hanging.splice(0)) response.destroy();
      atMs.length = 0;
      latenciesMs.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
