/**
 * A TLS server for HTTP that chooses the certificate by name and answers TLS-ALPN-01 challenges (RFC 8737).
 *
 * With TLS 1.3, Node selects the protocol before the certificate; with TLS 1.2, after it. So a connection
 * that requests `acme-tls/1` is remembered for TLS 1.3, and gets its certificate afterwards for TLS 1.2.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';
import { closeGracefully, isSecured } from '../protocols/smtp/server/socket-waits.ts';
import { SECOND_MS } from '../runtime/durations.ts';
import type { OpenChallenges } from './open-challenges.ts';
import type { CertificateShelf } from './shelf.ts';

export interface TlsListenerOptions {
  readonly shelf: Pick<CertificateShelf, 'find' | 'default'>;
  readonly challenges: OpenChallenges;
}

export const HANDSHAKE_MS = 10 * SECOND_MS;
const HTTP = 'http/1.1';
const ACME_TLS = 'acme-tls/1';

interface AskedProtocols {
  readonly servername: string;
  readonly protocols: readonly string[];
}

/** Node accepts the option for every TLS socket; its types list it only for servers. */
type SocketOptions = TLSSocketOptions & {
  readonly ALPNCallback: (this: TLSSocket, asked: AskedProtocols) => string | undefined;
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

function socketOptions({ shelf, challenges }: TlsListenerOptions): SocketOptions {
  let isValidation = false;
  return {
    isServer: true,
    secureContext: shelf.default,
    ALPNCallback({ servername, protocols }) {
      if (!protocols.includes(ACME_TLS)) return protocols.includes(HTTP) ? HTTP : undefined;
      isValidation = true;
      const proof = challenges.find(servername);
      if (proof !== undefined) this.setKeyCert(proof);
      return ACME_TLS;
    },
    SNICallback(name, done) {
      const answer = () => {
        if (!isValidation) return done(null, shelf.find(name) ?? shelf.default);
        const proof = challenges.find(name);
        return proof === undefined ? done(new Error('There is no challenge.')) : done(null, proof);
      };
      challenges.refresh().then(answer, answer);
    },
  };
}
