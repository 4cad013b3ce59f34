/**
 * The connection of a session: what comes over it, what is said over it, TLS, and how long the client has for each step.
 *
 * It owns the socket, which is another one after STARTTLS, and the pace of the message that is being received.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { SessionOptions, SessionTimes } from './dialogue.ts';
import { MessagePace } from './message-pace.ts';
import type { MessageSink } from './message-reader.ts';
import { REPLIES, type Reply } from './replies.ts';
import { type ServerTls, serverSocketOptions } from './server-tls.ts';
import { type Line, type MessageEnd, SessionInput, type SpeedWatch } from './session-input.ts';
import type { Activity } from './session-slots.ts';
import {
  CLOSE_WITHIN_MS,
  closeGracefully,
  hasUnreadReplies,
  isSecured,
  repliesDrained,
} from './socket-waits.ts';

/** How a wait ends without what was waited for, and with somebody to tell. */
export type Interruption = Exclude<Line['kind'] | MessageEnd, 'line' | 'gone' | 'complete'>;

/** What a connection has to know of the conversation over it. */
export interface Conversation {
  /** Neither logged in nor sending a message. */
  readonly isIdle: boolean;
  readonly idleReply: Reply;
  readonly isMemoryShort: boolean;
}

export interface ConnectionStart {
  /** TLS began with the first byte. */
  readonly isSecured: boolean;
  /** By performance.now(). */
  readonly connectedAt: number;
}

export class SessionConnection {
  readonly clock: SessionClock;
  readonly #options: SessionOptions;
  readonly #conversation: Conversation;
  #socket: Socket;
  #input: SessionInput;
  #isSecured: boolean;
  /** By a TLS handshake, or a client that does not read what it is told. */
  #isBlocked = false;
  #pace: MessagePace | null = null;
  /** Said when it is ended from outside. */
  #closingReply: Reply = REPLIES.stopping;

  constructor(
    socket: Socket,
    conversation: Conversation,
    options: SessionOptions,
    { isSecured, connectedAt }: ConnectionStart,
  ) {
    this.#socket = socket;
    this.#conversation = conversation;
    this.#options = options;
    this.#input = new SessionInput(socket);
    this.#isSecured = isSecured;
    this.clock = new SessionClock(options.times, connectedAt);
  }

  get isSecured(): boolean {
    return this.#isSecured;
  }

  get hasMore(): boolean {
    return this.#input.hasMore;
  }

  get isTimeUp(): boolean {
    return this.#leftMs < 0;
  }

  get activity(): Activity {
    if (!this.#input.isWaiting && !this.#isBlocked) return 'busy';
    if (this.#conversation.isIdle) return 'idle';
    return (this.#pace ?? this.clock).hasStalled ? 'stalled' : 'busy';
  }

  line(): Line | Promise<Line> {
    if (this.#pace === null) return this.#input.line(this.#leftMs);
    const withinMs = Math.min(this.#leftMs, this.clock.messageLeftMs());
    return this.#input.line(withinMs, this.#watch(this.#pace));
  }

  /** A message, or a chunk of one: then the pace is that of all chunks and of the commands between them. */
  message(into: MessageSink): MessageEnd | Promise<MessageEnd> {
    const { maxMessageBytes, paces } = this.#options;
    if (this.#pace === null) this.clock.messageBegan();
    this.#pace ??= new MessagePace(paces, () => into.size);
    return this.#input.message(into, maxMessageBytes, this.clock.messageLeftMs(), this.#watch(this.#pace));
  }

  /** No more of the message will come. */
  messageEnded(): void {
    this.#pace = null;
  }

  #watch(pace: MessagePace): SpeedWatch {
    const { checkMs } = this.#options.paces;
    return { everyMs: checkMs, isTooSlow: () => pace.isTooSlow(this.#conversation.isMemoryShort) };
  }

  /** False when the client does not read what it is told. */
  repliesDrained(): boolean | Promise<boolean> {
    return !hasUnreadReplies(this.#socket) || this.#blocked(repliesDrained(this.#socket, this.#leftMs));
  }

  /** False when no encrypted connection comes about. */
  async secure(tls: ServerTls): Promise<boolean> {
    const plain = this.#socket;
    this.#input.release();
    plain.on('error', () => {});
    const socket = new TLSSocket(plain, serverSocketOptions(tls));
    this.#socket = socket;
    this.#input = new SessionInput(socket);
    this.#isSecured = await this.#blocked(isSecured(socket, this.#leftMs));
    return this.#isSecured;
  }

  async #blocked(wait: Promise<boolean>): Promise<boolean> {
    this.#isBlocked = true;
    const came = await wait;
    this.#isBlocked = false;
    return came;
  }

  write(text: string): void {
    if (this.#socket.writable) this.#socket.write(text);
  }

  lastWords(why: Interruption): Reply {
    const { isIdle, idleReply } = this.#conversation;
    if (why === 'stopped') return this.#closingReply;
    return why === 'timeout' && isIdle && this.clock.isIdleTooLong ? idleReply : LAST_WORDS[why];
  }

  /** Ends it as soon as nothing is being stored. */
  stop(): void {
    this.#input.stop();
  }

  makeRoom(): void {
    this.#closingReply = REPLIES.madeRoom;
    this.stop();
    // In the middle of a TLS handshake no reply can be said: the connection ends without one.
    setTimeout(() => this.destroy(), CLOSE_WITHIN_MS).unref();
  }

  close(): void {
    this.#input.release();
    closeGracefully(this.#socket);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  get #leftMs(): number {
    return this.clock.leftMs(this.#conversation.isIdle);
  }
}

const LAST_WORDS = {
  malformed: REPLIES.malformed,
  too_large: REPLIES.tooLarge,
  timeout: REPLIES.timeout,
  too_slow: REPLIES.tooSlow,
} as const;

/**
 * How long a session still has for what its client does next, by a clock that is never set.
 *
 * A client that is idle (neither logged in nor sending a message) has a time that commands do not extend; a completed
 * message does.
 */
class SessionClock {
  readonly #times: SessionTimes;
  readonly #endsAt: number;
  #idleUntil: number;
  #progressAt: number;
  #messageBegan = 0;

  /** Times are those of performance.now(). */
  constructor(times: SessionTimes, connectedAt: number) {
    this.#times = times;
    this.#endsAt = connectedAt + times.sessionMs;
    this.#idleUntil = connectedAt + times.idleMs;
    this.#progressAt = connectedAt;
  }

  /** The client has logged in, or a step of a message was accepted. */
  progressed(): void {
    this.#progressAt = performance.now();
  }

  /** Whatever was answered to it. */
  messageCompleted(): void {
    this.progressed();
    this.#idleUntil = this.#progressAt + this.#times.commandMs;
  }

  /** For the next command; negative when the time is up. */
  leftMs(isIdle: boolean): number {
    const ends = isIdle ? Math.min(this.#endsAt, this.#idleUntil) : this.#endsAt;
    return Math.min(this.#times.commandMs, ends - performance.now());
  }

  messageBegan(): void {
    this.#messageBegan = performance.now();
  }

  /** For the message that has begun, whether it comes at once or in chunks. */
  messageLeftMs(): number {
    return Math.min(this.#messageBegan + this.#times.messageMs, this.#endsAt) - performance.now();
  }

  get isIdleTooLong(): boolean {
    return performance.now() >= this.#idleUntil;
  }

  /** Nothing was accepted for as long as an idle client has at first. */
  get hasStalled(): boolean {
    return performance.now() - this.#progressAt >= this.#times.idleMs;
  }
}
