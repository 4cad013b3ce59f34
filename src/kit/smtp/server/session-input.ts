/**
 * What a client sends, pulled when it is wanted: a line, or a message. Nothing is read ahead of that beyond the
 * socket's own buffer, so a client that sends without waiting is slowed down by TCP and not by our memory.
 *
 * Each wait has a deadline for the whole line or message, not for the next byte: a client that drips bytes gets no
 * more time than one that is silent.
 */
import type { Socket } from 'node:net';
import type { MessageReader } from './message-reader.ts';

export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Too long, or ended by anything but CRLF. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'gone' | 'timeout' | 'stopped' };

export type MessageEnd = 'complete' | 'too_large' | 'gone' | 'timeout' | 'stopped';

/** RFC 5321 asks for 512, and for more where extensions add to commands. */
const MAX_LINE_BYTES = 2_048;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

export class SessionInput {
  readonly #socket: Socket;
  #rest: Buffer = NOTHING;
  #ended = false;
  #stopped = false;
  #wake: (() => void) | null = null;
  readonly #onNews = () => this.#wake?.();
  readonly #onEnd = () => {
    this.#ended = true;
    this.#wake?.();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('readable', this.#onNews);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onEnd);
    socket.on('error', this.#onEnd);
  }

  /** Sent before it was asked for, and not looked at yet. */
  get hasMore(): boolean {
    return this.#rest.length > 0 || this.#socket.readableLength > 0;
  }

  /** Ends the wait in hand, and all that follow. */
  stop(): void {
    this.#stopped = true;
    this.#wake?.();
  }

  /** Leaves the socket to somebody else. */
  release(): void {
    this.#socket.off('readable', this.#onNews);
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('close', this.#onEnd);
    this.#socket.off('error', this.#onEnd);
  }

  async line(withinMs: number): Promise<Line> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const end = this.#rest.indexOf(LF);
      if (end >= MAX_LINE_BYTES || (end < 0 && this.#rest.length > MAX_LINE_BYTES)) return MALFORMED;
      if (end >= 0) return this.#takeLine(end);
      const chunk = await this.#chunk(deadline);
      if (typeof chunk === 'string') return { kind: chunk };
      this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    }
  }

  /** Reads on to the end of a message that is too large, up to twice what is allowed. */
  async message(into: MessageReader, maxBytes: number, withinMs: number): Promise<MessageEnd> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const after = this.#rest.length === 0 ? null : into.take(this.#rest);
      this.#rest = after ?? NOTHING;
      if (after !== null) return into.size > maxBytes ? 'too_large' : 'complete';
      if (into.size > 2 * maxBytes) return 'gone';
      const chunk = await this.#chunk(deadline);
      if (typeof chunk === 'string') return chunk;
      this.#rest = chunk;
    }
  }

  #takeLine(end: number): Line {
    const text = this.#rest.toString('utf8', 0, end + 1);
    this.#rest = this.#rest.subarray(end + 1);
    return WELL_FORMED.test(text) ? { kind: 'line', text: text.slice(0, -2) } : MALFORMED;
  }

  async #chunk(deadline: number): Promise<Buffer | 'gone' | 'timeout' | 'stopped'> {
    for (;;) {
      if (this.#stopped) return 'stopped';
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk !== null) return chunk;
      if (this.#ended) return 'gone';
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return 'timeout';
      await this.#news(leftMs);
    }
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), withinMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}

const MALFORMED: Line = { kind: 'malformed' };
/** Tabs are white space; other control characters have no place in a command. */
const WELL_FORMED = /^[^\x00-\x08\x0a-\x1f\x7f]*\r\n$/;
