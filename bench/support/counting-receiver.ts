/** A customer's server for the webhooks bench: records when each webhook arrived, and the age of its event. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly port: number;
  /** The arrival times in milliseconds. Webhooks to `/hang` are never answered and not counted. */
  readonly atMs: number[];
  readonly latenciesMs: number[];
  /** Clears the recorded webhooks, and closes hanging requests. */
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
