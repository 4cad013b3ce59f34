/**
 * One socket to an SMTP server, plain or TLS: bytes out, whole replies in.
 *
 * Owns: the socket, the reply parser and the single deadline timer.
 * States: open → broken (final). `broken` keeps the first trouble; replies that arrived before it are still
 * handed out first, so "421 bye" followed by a close is read as the 421 it is.
 * Only one reader at a time. Nothing here throws or rejects for network reasons.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { SmtpTrouble } from './facts.ts';
import { makeSafe, type ParsedReply, ReplyParser } from './reply-parser.ts';

export interface Trouble {
  readonly trouble: SmtpTrouble;
  readonly detail: string;
}

const STOPPED: Trouble = { trouble: 'stopped', detail: 'sending was stopped' };

export function isTrouble(value: object): value is Trouble {
  return 'trouble' in value;
}

/** Resolves to an open channel, or to what went wrong. `address` must be an IP address: nothing is resolved here. */
export function openChannel(
  address: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Channel | Trouble> {
  if (signal.aborted) return Promise.resolve(STOPPED);
  return new Promise((resolve) => {
    const socket = connectTcp({ host: address, port, noDelay: true });
    const finish = (trouble: Trouble | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.removeAllListeners();
      if (trouble !== null) {
        socket.on('error', ignore);
        socket.destroy();
      }
      resolve(trouble ?? new Channel(socket, signal));
    };
    const abort = (): void => finish(STOPPED);
    const timer = setTimeout(() => finish(timedOut(timeoutMs)), timeoutMs);
    signal.addEventListener('abort', abort);
    socket.on('error', (error) => finish(describe(error)));
    socket.on('connect', () => finish(null));
  });
}

export class Channel {
  #socket: Socket;
  readonly #signal: AbortSignal;
  readonly #abort = (): void => this.#break(STOPPED);
  readonly #parser = new ReplyParser();
  #broken: Trouble | null = null;
  #reader: ((result: ParsedReply | Trouble) => void) | null = null;
  #writer: ((result: Trouble | null) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #whenDisturbed: (() => void) | null = null;

  constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort);
    this.#listen(socket);
  }

  get isOpen(): boolean {
    return this.#broken === null;
  }

  get hasUntakenReply(): boolean {
    return this.#parser.hasUntaken;
  }

  /** Calls back once if the server says anything or goes away while nobody is waiting for it. */
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

  /** Resolves when the bytes were given to the operating system, or with the trouble that prevented it. */
  writeAndFlush(bytes: Buffer, timeoutMs: number): Promise<Trouble | null> {
    if (this.#broken !== null) return Promise.resolve(this.#broken);
    return new Promise((resolve) => {
      this.#writer = resolve;
      this.#arm(timeoutMs);
      this.#socket.write(bytes, () => this.#finishWrite(null));
    });
  }

  /** Not async on purpose: pipelined replies are mostly here already and then need no promise. */
  readReply(timeoutMs: number): ParsedReply | Trouble | Promise<ParsedReply | Trouble> {
    const here = this.#parser.take() ?? this.#broken;
    if (here !== null) return here;
    return new Promise((resolve) => {
      this.#reader = resolve;
      this.#arm(timeoutMs);
    });
  }

  /** Replaces the plain socket by TLS over it. Plaintext that is already here was sent by someone in between. */
  startTls(
    options: ConnectionOptions,
    timeoutMs: number,
    onSession: (session: Buffer) => void,
  ): Promise<TLSSocket | Trouble> {
    if (this.#broken !== null) return Promise.resolve(this.#broken);
    if (this.#parser.hasUntaken) {
      const injection: Trouble = { trouble: 'injection', detail: 'plaintext followed the reply to STARTTLS' };
      this.#break(injection);
      return Promise.resolve(injection);
    }
    const plain = this.#socket;
    plain.removeAllListeners();
    plain.on('error', ignore);
    return new Promise((resolve) => {
      const secure = connectTls({ ...options, socket: plain });
      const finish = (trouble: Trouble | null): void => {
        clearTimeout(timer);
        secure.removeAllListeners('error').removeAllListeners('close').removeAllListeners('secureConnect');
        this.#listen(secure);
        if (trouble !== null) this.#break(trouble);
        resolve(trouble ?? secure);
      };
      const timer = setTimeout(() => finish(timedOut(timeoutMs)), timeoutMs);
      this.#socket = secure;
      secure.on('error', (error) => finish({ trouble: 'tls', detail: makeSafe(error.message) }));
      secure.on('close', () => finish({ trouble: 'tls', detail: 'closed during the TLS handshake' }));
      secure.on('secureConnect', () => finish(null));
      secure.on('session', onSession);
    });
  }

  destroy(reason: Trouble = { trouble: 'closed', detail: 'closed by us' }): void {
    this.#break(reason);
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    socket.on('end', () => this.#break({ trouble: 'closed', detail: 'the server closed the connection' }));
    socket.on('close', () => this.#break({ trouble: 'closed', detail: 'the connection was closed' }));
    socket.on('error', (error) => this.#break(describe(error)));
  }

  #received(chunk: Buffer): void {
    this.#parser.push(chunk);
    if (this.#reader !== null) {
      const reply = this.#parser.take();
      if (reply !== null) this.#wakeReader(reply);
    }
    if (this.#parser.garbage !== null) this.#break({ trouble: 'garbage', detail: this.#parser.garbage });
    else this.#disturb();
  }

  #break(trouble: Trouble): void {
    if (this.#broken !== null) return;
    this.#broken = trouble;
    this.#signal.removeEventListener('abort', this.#abort);
    clearTimeout(this.#timer);
    this.#socket.destroy();
    this.#finishWrite(trouble);
    if (this.#reader !== null) this.#wakeReader(this.#parser.take() ?? trouble);
    this.#disturb();
  }

  #wakeReader(result: ParsedReply | Trouble): void {
    const reader = this.#reader;
    this.#reader = null;
    clearTimeout(this.#timer);
    reader?.(result);
  }

  #finishWrite(result: Trouble | null): void {
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

function timedOut(timeoutMs: number): Trouble {
  return { trouble: 'timeout', detail: `nothing within ${timeoutMs / 1000} s` };
}

function describe(error: NodeJS.ErrnoException): Trouble {
  return { trouble: troubleOf(error), detail: makeSafe(error.message) };
}

function troubleOf(error: NodeJS.ErrnoException): SmtpTrouble {
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
