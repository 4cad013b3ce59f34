/**
 * One socket to an SMTP server, plain or TLS: bytes out, whole replies in.
 *
 * Owns: the socket, the reply parser and the single deadline timer.
 * States: open → broken (final). `broken` keeps the first failure; replies that arrived before it are still
 * handed out first, so "421 bye" followed by a close is read as the 421 it is.
 * Only one reader at a time. Nothing here throws or rejects for network reasons.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { CutOff } from './cut-off.ts';
import type { SmtpFailure } from './facts.ts';
import { makeSafe, type ParsedReply, ReplyParser } from './reply-parser.ts';

export interface ChannelFailure {
  readonly failure: SmtpFailure;
  readonly detail: string;
}

const STOPPED: ChannelFailure = { failure: 'stopped', detail: 'sending was stopped' };

export function isFailure(value: object): value is ChannelFailure {
  return 'failure' in value;
}

/** An IP address, because nothing is resolved here; and optionally the local address to connect from. */
interface Ends {
  readonly address: string;
  readonly port: number;
  readonly localAddress?: string | undefined;
}

export function openChannel(
  { address, port, localAddress }: Ends,
  timeoutMs: number,
  cutOff: CutOff,
): Promise<Channel | ChannelFailure> {
  const signal = cutOff.beforeDot;
  if (signal.aborted) return Promise.resolve(STOPPED);
  return new Promise((resolve) => {
    const from = localAddress === undefined ? {} : { localAddress };
    const socket = connectTcp({ host: address, port, noDelay: true, ...from });
    const finish = (failure: ChannelFailure | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners();
      if (failure !== null) {
        socket.on('error', ignore);
        socket.destroy();
      }
      resolve(failure ?? new Channel(socket, cutOff));
    };
    const abort = (): void => finish(STOPPED);
    const timer = setTimeout(() => finish(timedOut(timeoutMs)), timeoutMs);
    signal.addEventListener('abort', abort);
    socket.on('error', (error) => finish(describe(error, localAddress)));
    socket.on('connect', () => finish(null));
  });
}

export class Channel {
  #socket: Socket;
  readonly #cutOff: CutOff;
  readonly #abort = (): void => this.#break(STOPPED);
  readonly #abortBeforeDot = (): void => {
    if (!this.#isSpared) this.#break(STOPPED);
  };
  /** Only `CutOff.everything` ends the connection: it awaits the reply to a final dot or to QUIT, or is idle after one. */
  #isSpared = false;
  readonly #parser = new ReplyParser();
  #broken: ChannelFailure | null = null;
  #reader: ((result: ParsedReply | ChannelFailure) => void) | null = null;
  #writer: ((result: ChannelFailure | null) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #whenDisturbed: (() => void) | null = null;

  constructor(socket: Socket, cutOff: CutOff) {
    this.#socket = socket;
    this.#cutOff = cutOff;
    cutOff.beforeDot.addEventListener('abort', this.#abortBeforeDot);
    cutOff.everything.addEventListener('abort', this.#abort);
    this.#listen(socket);
  }

  /** Begins a message, which may be cut off until its final dot. */
  beginMessage(): void {
    this.#isSpared = false;
    if (this.#cutOff.beforeDot.aborted) this.#break(STOPPED);
  }

  /** Call before sending the final dot or QUIT. */
  spare(): void {
    this.#isSpared = true;
  }

  get isOpen(): boolean {
    return this.#broken === null;
  }

  get hasUntakenReply(): boolean {
    return this.#parser.hasUntaken;
  }

  /** Calls back once if the server sends data or disconnects while no reply is expected. */
  watchIdle(whenDisturbed: (() => void) | null): void {
    this.#whenDisturbed = whenDisturbed;
  }

  write(text: string): void {
    if (this.#broken === null) this.#socket.write(text, 'utf8');
  }

  /** Queues all parts as one write, without waiting. */
  writeParts(parts: readonly (Buffer | string)[]): void {
    if (this.#broken !== null) return;
    this.#socket.cork();
    for (const part of parts) this.#socket.write(part);
    this.#socket.uncork();
  }

  /** Resolves when the operating system has taken the bytes, or with the failure. */
  writeAndFlush(bytes: Buffer, timeoutMs: number): Promise<ChannelFailure | null> {
    if (this.#broken !== null) return Promise.resolve(this.#broken);
    return new Promise((resolve) => {
      this.#writer = resolve;
      this.#arm(timeoutMs);
      this.#socket.write(bytes, () => this.#finishWrite(null));
    });
  }

  /** Deliberately not async: pipelined replies have mostly arrived already and need no promise. */
  readReply(timeoutMs: number): ParsedReply | ChannelFailure | Promise<ParsedReply | ChannelFailure> {
    const here = this.#parser.take() ?? this.#broken;
    if (here !== null) return here;
    return new Promise((resolve) => {
      this.#reader = resolve;
      this.#arm(timeoutMs);
    });
  }

  /** Starts TLS on the socket. Plaintext that has already arrived was injected by a third party. */
  startTls(
    options: ConnectionOptions,
    timeoutMs: number,
    onSession: (session: Buffer) => void,
  ): Promise<TLSSocket | ChannelFailure> {
    if (this.#broken !== null) return Promise.resolve(this.#broken);
    if (this.#parser.hasUntaken) {
      const injection: ChannelFailure = {
        failure: 'injection',
        detail: 'plaintext followed the reply to STARTTLS',
      };
      this.#break(injection);
      return Promise.resolve(injection);
    }
    const plain = this.#socket;
    plain.removeAllListeners();
    plain.on('error', ignore);
    return new Promise((resolve) => {
      const secure = connectTls({ ...options, socket: plain });
      const finish = (failure: ChannelFailure | null): void => {
        clearTimeout(timer);
        secure.removeAllListeners('error').removeAllListeners('close').removeAllListeners('secureConnect');
        this.#listen(secure);
        if (failure !== null) this.#break(failure);
        resolve(failure ?? secure);
      };
      const timer = setTimeout(() => finish(timedOut(timeoutMs)), timeoutMs);
      this.#socket = secure;
      secure.on('error', (error) => {
        const failure = secure.authorizationError ? 'certificate' : 'tls';
        finish({ failure, detail: makeSafe(error.message) });
      });
      secure.on('close', () => finish({ failure: 'tls', detail: 'closed during the TLS handshake' }));
      secure.on('secureConnect', () => finish(null));
      secure.on('session', onSession);
    });
  }

  destroy(reason: ChannelFailure = { failure: 'closed', detail: 'closed by us' }): void {
    this.#break(reason);
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    socket.on('end', () => this.#break({ failure: 'closed', detail: 'the server closed the connection' }));
    socket.on('close', () => this.#break({ failure: 'closed', detail: 'the connection was closed' }));
    socket.on('error', (error) => this.#break(describe(error)));
  }

  #received(chunk: Buffer): void {
    this.#parser.push(chunk);
    if (this.#reader !== null) {
      const reply = this.#parser.take();
      if (reply !== null) this.#wakeReader(reply);
    }
    if (this.#parser.garbage !== null) this.#break({ failure: 'garbage', detail: this.#parser.garbage });
    else this.#disturb();
  }

  #break(failure: ChannelFailure): void {
    if (this.#broken !== null) return;
    this.#broken = failure;
    this.#cutOff.beforeDot.removeEventListener('abort', this.#abortBeforeDot);
    this.#cutOff.everything.removeEventListener('abort', this.#abort);
    clearTimeout(this.#timer);
    this.#socket.destroy();
    this.#finishWrite(failure);
    if (this.#reader !== null) this.#wakeReader(this.#parser.take() ?? failure);
    this.#disturb();
  }

  #wakeReader(result: ParsedReply | ChannelFailure): void {
    const reader = this.#reader;
    this.#reader = null;
    clearTimeout(this.#timer);
    reader?.(result);
  }

  #finishWrite(result: ChannelFailure | null): void {
    const writer = this.#writer;
    if (writer === null) return;
    this.#writer = null;
    clearTimeout(this.#timer);
    writer(this.#broken ?? result);
  }

  #disturb(): void {
    const callback = this.#whenDisturbed;
    this.#whenDisturbed = null;
    callback?.();
  }

  #arm(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#break(timedOut(timeoutMs)), timeoutMs);
  }
}

function timedOut(timeoutMs: number): ChannelFailure {
  return { failure: 'timeout', detail: `nothing within ${timeoutMs / 1000} s` };
}

function describe(error: NodeJS.ErrnoException, localAddress?: string): ChannelFailure {
  const isAway = localAddress !== undefined && error.code === 'EADDRNOTAVAIL';
  return { failure: isAway ? 'no_source' : failureOf(error), detail: makeSafe(error.message) };
}

function failureOf(error: NodeJS.ErrnoException): SmtpFailure {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'refused';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return 'reset';
    case 'ETIMEDOUT':
      return 'timeout';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENETDOWN':
    case 'EHOSTDOWN':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
    case 'EINVAL':
      return 'unreachable';
    default:
      return error.code?.startsWith('ERR_SSL') === true ? 'tls' : 'closed';
  }
}

function ignore(): void {}
