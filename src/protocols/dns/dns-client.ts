/**
 * Queries DNS servers directly, because `node:dns` does not report whether an answer was validated (the AD
 * bit). Queries request validation (AD and DO); the caller decides whether to trust the server.
 *
 * Every query uses its own socket and a random id. Only an answer from the queried address with that id and
 * question counts. A truncated answer is queried again over TCP. Errors have the codes of `node:dns`.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import {
  AUTHENTIC_DATA,
  type DecodedPacket,
  DNSSEC_OK,
  decode,
  encode,
  type Packet,
  RECURSION_DESIRED,
  type RecordType,
} from 'dns-packet';

interface DnsClientOptions {
  /** `ip`, `ip:port` or `[ip]:port`. */
  readonly servers: readonly string[];
  /** Timeout of the first round; doubles with each further one. */
  readonly timeoutMs: number;
  /** How often all servers are queried when none answers. */
  readonly rounds: number;
}

/** Includes the flags and the answer section; `rcode` is NOERROR or NXDOMAIN. */
export type DnsReply = DecodedPacket & { readonly rcode: 'NOERROR' | 'NXDOMAIN' };

interface DnsServer {
  readonly address: string;
  readonly port: number;
}

/** Fits unfragmented through any network. */
const MAX_UDP_BYTES = 1_232;
const DNS_PORT = 53;

export class DnsClient {
  readonly #servers: readonly DnsServer[];
  readonly #options: DnsClientOptions;
  readonly #closing = new AbortController();

  constructor(options: DnsClientOptions) {
    this.#options = options;
    this.#servers = options.servers.map(parseServer);
  }

  /** A server without an answer is followed by the next; another round starts only if no server responded. */
  async ask(name: string, type: RecordType): Promise<DnsReply> {
    let failure = dnsError('ETIMEOUT');
    for (let round = 0; round < this.#options.rounds; round += 1) {
      for (const server of this.#servers) {
        const reply = await this.#askOne(server, name, type, this.#options.timeoutMs * 2 ** round);
        if (!(reply instanceof Error)) return reply;
        failure = reply;
      }
      if (failure.code !== 'ETIMEOUT') break;
    }
    throw failure;
  }

  close(): void {
    this.#closing.abort();
  }

  async #askOne(
    server: DnsServer,
    name: string,
    type: RecordType,
    timeoutMs: number,
  ): Promise<DnsReply | DnsError> {
    const question = questionOf(name, type);
    const isAnswer = (packet: DecodedPacket) => answers(packet, question);
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const reply = await overUdp(server, encode(question), isAnswer, signal);
      return judged(reply.flag_tc ? await overTcp(server, encode(question), isAnswer, signal) : reply);
    } catch (error) {
      if (this.#closing.signal.aborted) return dnsError('ECANCELLED');
      if (signal.aborted) return dnsError('ETIMEOUT');
      return dnsError(error instanceof Error && 'code' in error ? String(error.code) : 'EBADRESP');
    }
  }
}

interface DnsError extends Error {
  readonly code: string;
}

function dnsError(code: string): DnsError {
  return Object.assign(new Error(`DNS: ${code}`), { code });
}

function parseServer(text: string): DnsServer {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(text);
  const [address = text, port] = bracketed?.slice(1) ?? (isIPv6(text) ? [text] : text.split(':'));
  return { address, port: port === undefined ? DNS_PORT : Number(port) };
}

function questionOf(name: string, type: RecordType): Packet {
  return {
    type: 'query',
    id: randomInt(0x10000),
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [{ type, name, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: MAX_UDP_BYTES,
        flags: DNSSEC_OK,
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: true,
        options: [],
      },
    ],
  };
}

function answers(packet: DecodedPacket, { id, questions }: Packet): boolean {
  const [asked, repeated] = [questions?.[0], packet.questions?.[0]];
  if (packet.type !== 'response' || packet.id !== id || asked === undefined) return false;
  return repeated?.type === asked.type && repeated.name.toLowerCase() === asked.name.toLowerCase();
}

/** A missing name or record is also an answer. */
function judged(packet: DecodedPacket): DnsReply | DnsError {
  const { rcode } = packet as DecodedPacket & { readonly rcode: string };
  return rcode === 'NOERROR' || rcode === 'NXDOMAIN' ? { ...packet, rcode } : dnsError(`E${rcode}`);
}

type IsAnswer = (packet: DecodedPacket) => boolean;

function overUdp(
  { address, port }: DnsServer,
  question: Buffer,
  isAnswer: IsAnswer,
  signal: AbortSignal,
): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' });
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners().on('error', () => {});
      socket.close();
      settle();
    };
    const abort = () => end(() => reject(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (bytes) => {
      const packet = readPacket(bytes);
      if (packet !== null && isAnswer(packet)) end(() => resolve(packet));
    });
    socket.on('connect', () => socket.send(question));
    // Connected, so that the system drops packets from other senders.
    socket.connect(port, address);
  });
}

function overTcp(
  { address, port }: DnsServer,
  question: Buffer,
  isAnswer: IsAnswer,
  signal: AbortSignal,
): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal });
    let received = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => reject(dnsError('ECONNRESET')));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const packet = readPacket(received.subarray(2, 2 + received.readUInt16BE(0)));
      if (packet !== null && isAnswer(packet)) resolve(packet);
      socket.destroy();
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(question.length);
    socket.write(Buffer.concat([length, question]));
  });
}

export function readPacket(bytes: Buffer): DecodedPacket | null {
  try {
    return decode(bytes);
  } catch {
    return null;
  }
}
