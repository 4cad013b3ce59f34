/**
 * A port that mail comes in by.
 *
 * Owns the listening socket and the sessions. States: made → listening → (retiring: nobody new; sessions go on) →
 * stopping (sessions end at their next command, those that are storing get their reply) → stopped. What a session costs is bounded: what its dialogue
 * keeps of a message, and the socket's buffers.
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type ListenPlace, listenAt } from '../../../runtime/inherited-sockets.ts';
import type { Service } from '../../../runtime/lifecycle.ts';
import type { Log } from '../../../runtime/log.ts';
import type { ClientLimits } from './client-limits.ts';
import type { Dialogue, SessionOptions } from './dialogue.ts';
import { REPLIES, type Reply, replyLine } from './replies.ts';
import { type ServerTls, serverSocketOptions } from './server-tls.ts';
import { Session } from './session.ts';
import type { SessionSlots, Slot } from './session-slots.ts';
import { isSecured } from './socket-waits.ts';

interface ListenerOptions extends SessionOptions {
  /** What it is called in the log. */
  readonly name: string;
  readonly listen: ListenPlace;
  readonly log: Log;
  readonly limits: Pick<ClientLimits<string>, 'mayConnect'>;
  /** Shared by listeners that are one service. */
  readonly slots: SessionSlots;
  readonly converse: (address: string) => Dialogue;
  /** Where TLS begins with the first byte. */
  readonly tlsAtOnce?: ServerTls | null;
}

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
    this.#server.on('error', (error) =>
      log.warn({ err: error }, `the ${this.name} cannot accept connections`),
    );
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
    const timer = setTimeout(() => {
      for (const session of this.#sessions.keys()) session.destroy();
    }, DRAIN_MS);
    await Promise.all(this.#sessions.values());
    clearTimeout(timer);
  }

  async #welcome(socket: Socket): Promise<void> {
    const address = socket.remoteAddress;
    const { limits, slots, tlsAtOnce } = this.#options;
    // It left before it was looked at.
    if (address === undefined) socket.destroy();
    else if (this.#stopped !== null) this.#turnAway(socket, REPLIES.stopping);
    else if (!limits.mayConnect(address)) this.#turnAway(socket, REPLIES.busy);
    else {
      const slot = slots.take(address, { activity: 'idle', makeRoom: () => socket.destroy() });
      if (typeof slot === 'string') this.#turnAway(socket, NO_SLOT[slot]);
      else if (tlsAtOnce) await this.#secure(socket, { address, slot }, tlsAtOnce);
      else this.#converse(socket, { address, slot, connectedAt: performance.now() });
    }
  }

  async #secure(
    plain: Socket,
    { address, slot }: Omit<Connection, 'connectedAt'>,
    tls: ServerTls,
  ): Promise<void> {
    const connectedAt = performance.now();
    plain.on('error', () => {});
    const socket = new TLSSocket(plain, serverSocketOptions(tls));
    if ((await isSecured(socket, this.#options.times.idleMs)) && this.#stopped === null) {
      this.#converse(socket, { address, slot, connectedAt });
      return;
    }
    slot.leave();
    plain.destroy();
  }

  #converse(socket: Socket, { address, slot, connectedAt }: Connection): void {
    const { converse, log, tlsAtOnce } = this.#options;
    const session = new Session(socket, this.#options, {
      ...{ address, connectedAt, dialogue: converse(address) },
      isSecured: tlsAtOnce != null,
      onProven: () => slot.prove(),
    });
    slot.occupant = session;
    const over = session
      .run()
      .catch((error: unknown) => {
        log.error({ err: error }, `a session of the ${this.name} failed`);
        session.destroy();
      })
      .finally(() => {
        slot.leave();
        this.#sessions.delete(session);
      });
    this.#sessions.set(session, over);
  }

  #turnAway(socket: Socket, reply: Reply): void {
    this.#options.onReply?.(reply);
    socket.on('error', () => {});
    socket.end(replyLine(reply), () => socket.destroy());
  }
}

interface Connection {
  readonly address: string;
  readonly slot: Slot;
  readonly connectedAt: number;
}

const NO_SLOT = { address_full: REPLIES.busy, server_full: REPLIES.full } as const;
