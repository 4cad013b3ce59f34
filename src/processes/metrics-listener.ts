/**
 * Serves `GET /metrics` on POSTRIDER_METRICS_PORT at POSTRIDER_METRICS_HOST. If the port is taken, this is
 * logged and the process continues without metrics, because metrics must not stop mail.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mayReadMetrics } from '../http/metrics-access.ts';
import type { Config } from '../runtime/config.ts';
import { isLoopback, localAddress } from '../runtime/host-name.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';

export interface MetricsListenerOptions {
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>;
  readonly log: Log;
  readonly config: Pick<Config, 'metrics'>;
  /** Reports in plain text whether metrics are served. Without it, the log does. */
  readonly say?: (line: string) => void;
}

export class MetricsListener implements Service {
  readonly name = 'metrics';
  readonly #options: MetricsListenerOptions;
  readonly #server: Server;

  constructor(options: MetricsListenerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    const { log, config, say } = this.#options;
    const { host, port } = config.metrics;
    const setting = `POSTRIDER_METRICS_PORT (${host}:${port})`;
    try {
      this.#server.listen(port, host);
      await once(this.#server, 'listening');
      if (say) say(`Metrics are at http://${urlHost(localAddress(host))}:${this.port}/metrics.`);
      else log.info({ host, port: this.port }, 'metrics are at /metrics');
    } catch (error) {
      if (say) say(`Warning: metrics cannot be served at ${setting}: ${(error as Error).message}`);
      else log.error({ err: error }, `metrics cannot be served at ${setting}`);
    }
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { metrics, log, config } = this.#options;
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const access = { token: config.metrics.token, openTo: openTo(config.metrics.host) };
    if (!mayReadMetrics(request.headers, access)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be collected');
      response.writeHead(500).end();
    }
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * On a loopback address, pages of other sites could still connect through a name of their own that points
 * here.
 */
function openTo(host: string): 'everybody' | 'this machine' {
  return isLoopback(host) ? 'this machine' : 'everybody';
}
