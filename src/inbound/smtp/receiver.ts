/**
 * The mail server that bounces and complaints come back to.
 *
 * Owns the listening socket and the sessions. States: made → listening → stopping (nobody new; sessions end at their
 * next command, those that are storing get their reply) → stopped. What a session costs is bounded: KEPT_BYTES of a
 * message, and the socket's buffers.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Service } from '../../kit/runtime/lifecycle.ts';
import type { Log } from '../../kit/runtime/log.ts';
import type { Certificate } from './certificate.ts';
import { DEFAULT_LIMITS, type InboundLimits, SenderLimits } from './limits.ts';
import { REPLIES, type Reply, replyLine } from './replies.ts';
import type { ReachMailbox } from './served-domains.ts';
import { Session, type SessionOptions, type SessionTimes } from './session.ts';

export interface InboundReceiverOptions {
  readonly listen: { readonly host: string; readonly port: number };
  /** The name it goes by. */
  readonly host: string;
  readonly log: Log;
  readonly find: ReachMailbox;
  readonly store: SessionOptions['store'];
  readonly nowMs: () => number;
  readonly certificate: Certificate | null;
  readonly limits?: Partial<InboundLimits>;
  readonly times?: Partial<SessionTimes>;
  readonly maxMessageBytes?: number;
  /** Whom the limits by the minute do not concern; this machine itself unless said otherwise. */
  readonly exempt?: (address: string) => boolean;
  readonly onReply?: (reply: Reply) => void;
}

/** What a large mail becomes when it is returned whole. Only its beginning is kept. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** RFC 5321, 4.5.3.2.7 asks servers for five minutes of patience with the next command. */
const TIMES: SessionTimes = { commandMs: 300_000, messageMs: 600_000, sessionMs: 600_000 };
/** When most of the room is taken, whoever says nothing has to make way: silence must not keep bounces out. */
const CROWDED_PART = 0.5;
const CROWDED_COMMAND_MS = 10_000;
const DRAIN_MS = 2_000;

export class InboundReceiver implements Service {
  readonly name = 'inbound receiver';
  readonly #options: InboundReceiverOptions;
  readonly #server: Server;
  readonly #limits: SenderLimits;
  readonly #secureContext: SecureContext | null;
  readonly #sessions = new Map<Session, Promise<void>>();
  #stopped: Promise<void> | null = null;

  constructor(options: InboundReceiverOptions) {
    this.#options = options;
    this.#limits = new SenderLimits({ ...DEFAULT_LIMITS, ...options.limits }, options.nowMs, options.exempt);
    this.#secureContext =
      options.certificate === null ? null : createSecureContext({ ...options.certificate });
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#welcome(socket));
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The receiver is not listening.');
    return address.port;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  async start(): Promise<void> {
    const { listen, log } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(listen.port, listen.host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) =>
      log.warn({ err: error }, 'the inbound receiver has trouble accepting'),
    );
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    if (this.#server.listening) this.#server.close();
    for (const session of this.#sessions.keys()) session.stop();
    const impatient = setTimeout(() => {
      for (const session of this.#sessions.keys()) session.destroy();
    }, DRAIN_MS);
    await Promise.all(this.#sessions.values());
    clearTimeout(impatient);
  }

  #welcome(socket: Socket): void {
    const address = socket.remoteAddress;
    // It left before it was looked at.
    if (address === undefined) socket.destroy();
    else if (this.#stopped !== null || !this.#limits.enter(address)) this.#turnAway(socket);
    else this.#converse(socket, address);
  }

  #converse(socket: Socket, address: string): void {
    const session = new Session(socket, address, {
      ...this.#options,
      limits: this.#limits,
      times: this.#times(),
      maxMessageBytes: this.#options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
      secureContext: this.#secureContext,
    });
    const over = session
      .run()
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'an inbound session failed');
        session.destroy();
      })
      .finally(() => {
        this.#limits.leave(address);
        this.#sessions.delete(session);
      });
    this.#sessions.set(session, over);
  }

  #times(): SessionTimes {
    const times = { ...TIMES, ...this.#options.times };
    const room = this.#options.limits?.sessions ?? DEFAULT_LIMITS.sessions;
    if (this.#sessions.size < room * CROWDED_PART) return times;
    return { ...times, commandMs: Math.min(times.commandMs, CROWDED_COMMAND_MS) };
  }

  #turnAway(socket: Socket): void {
    const reply = this.#stopped === null ? REPLIES.busy : REPLIES.stopping;
    this.#options.onReply?.(reply);
    socket.on('error', () => {});
    socket.end(replyLine(reply), () => socket.destroy());
  }
}
