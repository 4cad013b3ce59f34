/**
 * A TLS server for HTTP that chooses the certificate by name and answers TLS-ALPN-01 challenges (RFC 8737).
 *
 * With TLS 1.3, Node selects the protocol before the certificate; with TLS 1.2, after it. So a connection
 * that requests `acme-tls/1` is remembered for TLS 1.3, and gets its certificate afterwards for TLS 1.2. Challenges are
 * read from the database for TLS 1.3 clients that request `acme-tls/1`, and for every TLS 1.2 client, whose protocols
 * are not known yet. A TLS 1.2 handshake waits for the database at most REFRESH_WAIT_MS.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls';
import { closeGracefully, isSecured } from '../protocols/smtp/server/socket-waits.ts';
import { SECOND_MS } from '../runtime/durations.ts';
import type { OpenChallenges } from './open-challenges.ts';
import type { ServedCertificates } from './served-certificates.ts';

interface TlsListenerOptions {
  readonly certificates: Pick<ServedCertificates, 'find' | 'default'>;
  /** Null where challenges are answered over HTTP. */
  readonly challenges: OpenChallenges | null;
}

export const HANDSHAKE_MS = 10 * SECOND_MS;
const REFRESH_WAIT_MS = SECOND_MS / 2;
const HTTP = 'http/1.1';
const ACME_TLS = 'acme-tls/1';

interface AskedProtocols {
  /** False where the client sent no server name. */
  readonly servername: string | false;
  readonly protocols: readonly string[];
}

/** Node accepts ALPNCallback for every TLS socket, and calls both callbacks on the socket. Its types say less. */
type SocketOptions = Omit<TLSSocketOptions, 'SNICallback'> & {
  readonly ALPNCallback: (this: TLSSocket, asked: AskedProtocols) => string | undefined;
  readonly SNICallback: (
    this: TLSSocket,
    name: string,
    done: (error: Error | null, context?: SecureContext) => void,
  ) => void;
};

/** `onConnection` gets connections after their handshake. */
export function createTlsListener(
  options: TlsListenerOptions,
  onConnection: (socket: TLSSocket) => void,
): Server {
  return createServer({ noDelay: true, allowHalfOpen: true }, (plain) => {
    void welcome(plain, options, onConnection);
  });
}

async function welcome(
  plain: Socket,
  options: TlsListenerOptions,
  onConnection: (socket: TLSSocket) => void,
): Promise<void> {
  plain.on('error', () => {});
  const socket = new TLSSocket(plain, socketOptions(options));
  const isDone = await isSecured(socket, HANDSHAKE_MS);
  if (!isDone) plain.destroy();
  else if (socket.alpnProtocol === ACME_TLS) closeGracefully(socket);
  else onConnection(socket);
}

function socketOptions({ certificates, challenges }: TlsListenerOptions): SocketOptions {
  let isValidation = false;
  return {
    isServer: true,
    secureContext: certificates.default,
    ALPNCallback({ servername, protocols }) {
      if (challenges === null || !protocols.includes(ACME_TLS))
        return protocols.includes(HTTP) ? HTTP : undefined;
      if (servername === false) return undefined;
      isValidation = true;
      const proof = challenges.find(servername);
      if (proof !== undefined) this.setKeyCert(proof);
      return ACME_TLS;
    },
    SNICallback(name, done) {
      const serve = () => done(null, certificates.find(name) ?? certificates.default);
      const prove = () => {
        const proof = challenges?.find(name);
        return proof === undefined ? done(new Error('There is no challenge.')) : done(null, proof);
      };
      if (challenges === null) serve();
      else if (isValidation) challenges.refresh().then(prove, prove);
      else if (this.getProtocol() === 'TLSv1.3') serve();
      else within(challenges.refresh(), REFRESH_WAIT_MS).then(serve, serve);
    },
  };
}

/** Resolves when `done` is settled, or after `ms`. */
async function within(done: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([done, late]);
  timer.abort();
}
