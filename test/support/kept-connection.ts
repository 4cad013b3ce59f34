/** A client that keeps its one connection open between two requests, as browsers and proxies do. */
import { Agent, get } from 'node:http';

export interface KeptAnswer {
  /** Whether the answer came over the connection of the previous request. */
  readonly isKept: boolean;
  readonly status: number | undefined;
  readonly connection: string | undefined;
}

export class KeptConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  ask(): Promise<KeptAnswer> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, path: '/healthz', agent: this.#agent };
      const asked = get(options, (response) => {
        const { statusCode: status, headers } = response;
        const answer = { isKept: asked.reusedSocket, status, connection: headers.connection };
        response.resume().once('end', () => resolve(answer));
      });
      asked.on('error', reject);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
