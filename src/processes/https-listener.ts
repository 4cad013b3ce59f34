/**
 * Further ports of the API: a TLS port, which passes connections to the API's HTTP server after the
 * handshake, and a port without TLS, which answers ACME challenges and redirects to https.
 *
 * Owns its listening sockets. Open connections belong to the HTTP server.
 */
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer } from 'node:net';
import { type AnswerChallenge, CHALLENGE_PATH } from '../certificates/challenge-routes.ts';
import type { OpenChallenges } from '../certificates/open-challenges.ts';
import type { ServedCertificates } from '../certificates/served-certificates.ts';
import { createTlsListener, HANDSHAKE_MS } from '../certificates/tls-listener.ts';
import { CONNECTIONS_PER_ADDRESS, isProxyOrThisMachine, limitConnections } from '../http/connection-limit.ts';
import type { Config } from '../runtime/config.ts';
import { hostNameOf } from '../runtime/host-name.ts';
import { listenAt } from '../runtime/inherited-sockets.ts';
import type { Service } from '../runtime/lifecycle.ts';
import { explainListen } from './listen-problem.ts';

interface HttpsListenerOptions {
  readonly config: Config;
  readonly server: HttpServer;
  readonly certificates: ServedCertificates;
  /** Of TLS-ALPN-01; null where challenges are answered over HTTP. */
  readonly challenges: OpenChallenges | null;
  readonly answer: AnswerChallenge;
}

const BACKLOG = 4096;

export class HttpsListener implements Service {
  readonly name = 'https';
  readonly #options: HttpsListenerOptions;
  #tls: NetServer | undefined;
  #plain: HttpServer | undefined;
  #servers: NetServer[] = [];

  constructor(options: HttpsListenerOptions) {
    this.#options = options;
  }

  get ports(): { readonly tls?: number; readonly challenges?: number } {
    return {
      ...(this.#tls === undefined ? {} : { tls: portOf(this.#tls) }),
      ...(this.#plain === undefined ? {} : { challenges: portOf(this.#plain) }),
    };
  }

  async start(): Promise<void> {
    const { https } = this.#options.config;
    if (https.port !== undefined) {
      this.#tls = createTls(this.#options);
      await this.#listen(this.#tls, https.port, 'POSTRIDER_HTTPS_PORT');
    }
    if (https.challengePort !== undefined) {
      this.#plain = createPlain(this.#options);
      await this.#listen(this.#plain, https.challengePort, 'POSTRIDER_ACME_HTTP_PORT');
    }
  }

  /** Accepts no new connections, because another process listens on the same sockets. */
  async retire(): Promise<void> {
    const gone = this.#servers.map((one) => once(one, 'close'));
    // HTTP's own `close` would also cut idle connections, on which a request may be in flight.
    for (const one of this.#servers) NetServer.prototype.close.call(one);
    await Promise.all(gone);
  }

  async stop(): Promise<void> {
    for (const one of this.#servers) if (one.listening) one.close();
    this.#plain?.closeAllConnections();
  }

  async #listen(server: NetServer, port: number, setting: string): Promise<void> {
    const { host } = this.#options.config.https;
    // `true` is for POSTRIDER_PORT: clients connect to these ports without the proxy.
    const { trustProxy } = this.#options.config;
    const isExempt = isProxyOrThisMachine(trustProxy !== true && trustProxy);
    limitConnections(server, { perAddress: CONNECTIONS_PER_ADDRESS, isExempt, onRefused: () => {} });
    const helpers = await listenAt(server, { host, port }, BACKLOG).catch((error) => {
      throw explainListen(error, { host, port, setting });
    });
    this.#servers.push(server, ...helpers);
  }
}

function portOf(server: NetServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The API is not listening with TLS.');
  return address.port;
}

function createTls({ server, certificates, challenges }: HttpsListenerOptions): NetServer {
  return createTlsListener({ certificates, challenges }, (socket) => server.emit('connection', socket));
}

function createPlain(options: HttpsListenerOptions): HttpServer {
  return createHttpServer(
    { requestTimeout: HANDSHAKE_MS, headersTimeout: HANDSHAKE_MS },
    (request, response) => {
      request.resume();
      answerPlain(request, response, options).catch(() => end(response, 503));
    },
  );
}

async function answerPlain(
  request: IncomingMessage,
  response: ServerResponse,
  { config, certificates, answer }: HttpsListenerOptions,
): Promise<void> {
  const { url = '/', headers, socket } = request;
  if (url.startsWith(CHALLENGE_PATH)) {
    const found = await answer(url.slice(CHALLENGE_PATH.length), socket.remoteAddress);
    end(response, found === null ? 404 : 200, { 'content-type': 'application/octet-stream' }, found ?? '');
    return;
  }
  const origin = originOf(hostNameOf(headers.host ?? ''), config, certificates);
  if (origin === null || !url.startsWith('/')) end(response, 404);
  else end(response, 308, { location: `${origin}${url}` });
}

/** Redirects only to names that are served. */
function originOf(
  name: string | null,
  { publicUrl }: Config,
  certificates: ServedCertificates,
): string | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  if (name === null || protocol !== 'https:') return null;
  if (name === hostname) return origin;
  return certificates.find(name) === undefined ? null : `https://${name}`;
}

function end(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
