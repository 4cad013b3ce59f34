/**
 * A port that mail comes in by.
 *
 * Owns the listening socket and the sessions. States: made → listening → (retiring: nobody new; sessions go on) →
 * stopping (sessions end at their next command, those that are storing get their reply) → stopped. What a session costs is bounded: what its dialogue
 * keeps of a message, and the socket's buffers.
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { type ListenPlace, listenAt } from '../../runtime/inherited-sockets.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import type { ClientLimits } from './client-limits.ts';
import type { Dialogue, SessionOptions, SessionTimes } from './dialogue.ts';
import { REPLIES, replyLine } from './replies.ts';
import { Session } from './session.ts';
import { isSecured } from './socket-waits.ts';

export interface ListenerOptions extends SessionOptions {
  /** What it is called in the log. */
  readonly name: string;
  readonly listen: ListenPlace;
  readonly log: Log;
  readonly limits: Pick<ClientLimits<string>, 'enter' | 'leave' | 'crowding'>;
  readonly converse: (address: string) => Dialogue;
  /** Where TLS begins with the first byte. */
  readonly tlsAtOnce?: SecureContext | null;
}

/** When most of the room is taken, whoever says nothing has to make way: silence must not keep others out. */
const CROWDED_PART = 0.5;
const CROWDED_COMMAND_MS = 10_000;
const DRAIN_MS = 2_000;

export class SmtpListener implements Service {
  readonly name: string;
  readonly #options: ListenerOptions;
  readonly #server: Server;
  #helpers: readonly Server[] = [];
  readonly #sessions = new Map<Session, Promise<void>>();
  #stopped: Promise<void> | null = null;

  constructor(options: ListenerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#server = createServer(
      { noDelay: true, allowHalfOpen: true },
      (socket) => void this.#welcome(socket),
    );
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string')
      throw new Error(`The ${this.name} is not listening.`);
    return address.port;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  async start(): Promise<void> {
    const { listen, log } = this.#options;
    this.#helpers = await listenAt(this.#server, listen);
    this.#server.on('error', (error) => log.warn({ err: error }, `the ${this.name} has trouble accepting`));
  }

  /** Nobody new: another process listens on the same socket. Resolves when everybody has said what they had to say. */
  async retire(): Promise<void> {
    const servers = [this.#server, ...this.#helpers];
    const gone = servers.map((server) => once(server, 'close'));
    for (const server of servers) server.close();
    await Promise.all(gone);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    for (const server of [this.#server, ...this.#helpers]) if (server.listening) server.close();
    for (const session of this.#sessions.keys()) session.stop();
    const impatient = setTimeout(() => {
      for (const session of this.#sessions.keys()) session.destroy();
    }, DRAIN_MS);
    await Promise.all(this.#sessions.values());
    clearTimeout(impatient);
  }

  async #welcome(socket: Socket): Promise<void> {
    const address = socket.remoteAddress;
    const { limits, tlsAtOnce } = this.#options;
    // It left before it was looked at.
    if (address === undefined) socket.destroy();
    else if (this.#stopped !== null || !limits.enter(address)) this.#turnAway(socket);
    else if (tlsAtOnce) await this.#secure(socket, address, tlsAtOnce);
    else this.#converse(socket, address);
  }

  async #secure(plain: Socket, address: string, secureContext: SecureContext): Promise<void> {
    plain.on('error', () => {});
    const socket = new TLSSocket(plain, { isServer: true, secureContext });
    if ((await isSecured(socket, this.#times().commandMs)) && this.#stopped === null) {
      this.#converse(socket, address);
      return;
    }
    this.#options.limits.leave(address);
    plain.destroy();
  }

  #converse(socket: Socket, address: string): void {
    const { converse, limits, log, tlsAtOnce } = this.#options;
    const session = new Session(socket, address, converse(address), {
      ...this.#options,
      isSecured: tlsAtOnce != null,
      times: this.#times(),
    });
    const over = session
      .run()
      .catch((error: unknown) => {
        log.error({ err: error }, `a session of the ${this.name} failed`);
        session.destroy();
      })
      .finally(() => {
        limits.leave(address);
        this.#sessions.delete(session);
      });
    this.#sessions.set(session, over);
  }

  #times(): SessionTimes {
    const { times, limits } = this.#options;
    if (limits.crowding < CROWDED_PART) return times;
    return { ...times, commandMs: Math.min(times.commandMs, CROWDED_COMMAND_MS) };
  }

  #turnAway(socket: Socket): void {
    const reply = this.#stopped === null ? REPLIES.busy : REPLIES.stopping;
    this.#options.onReply?.(reply);
    socket.on('error', () => {});
    socket.end(replyLine(reply), () => socket.destroy());
  }
}
