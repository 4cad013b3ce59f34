/**
 * What a client sends, taken when it is wanted: a line, or a message. Hardly anything is read ahead of that, so a client
 * that sends without waiting is slowed down by TCP and not by our memory.
 *
 * Each wait has a deadline for the whole line or message, not for the next byte: a client that drips bytes gets no
 * more time than one that is silent.
 *
 * It owns what was read and not taken, and at most one wait. What comes is looked at right where it arrives: a promise for
 * each packet, or a timer for each command, cost a busy server more than the bytes do.
 */
import type { Socket } from 'node:net';
import { Turns } from '../../../runtime/turns.ts';
import type { MessageSink } from './message-reader.ts';

type End = 'gone' | 'timeout' | 'stopped' | 'too_slow';

export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Too long, or ended by anything but CRLF. */
  | { readonly kind: 'malformed' }
  | { readonly kind: End };

export type MessageEnd = 'complete' | 'too_large' | End;

/** Somebody waits for a line or a message, until it can be taken from what came. */
interface Wait {
  /** False where more has to come. */
  readonly take: () => boolean;
  readonly end: (why: End) => void;
  readonly deadline: number;
  readonly watch: SpeedWatch | undefined;
}

/** Asks again and again whether a message comes too slowly. */
export interface SpeedWatch {
  readonly everyMs: number;
  readonly isTooSlow: () => boolean;
}

/** RFC 5321 asks for 512, and for more where extensions add to commands. */
const MAX_LINE_BYTES = 2_048;
/** Beyond that nothing is read while nobody waits. */
const READ_AHEAD_BYTES = 16 * 1024;
/** Bytes of a message that are taken before its turn is looked at. Small messages never need a look. */
const LOOK_BYTES = 64 * 1024;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

export class SessionInput {
  readonly #socket: Socket;
  #rest: Buffer = NOTHING;
  #ended = false;
  #stopped = false;
  #isPaused = false;
  readonly #turns = new Turns();
  /** Since the last look. */
  #takenBytes = 0;
  #wait: Wait | null = null;
  #alarm: { readonly timer: NodeJS.Timeout; readonly at: number } | null = null;
  readonly #onData = (chunk: Buffer) => this.#add(chunk);
  readonly #onEnd = () => {
    this.#ended = true;
    this.#end('gone');
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onEnd);
    socket.on('error', this.#onEnd);
  }

  /** Sent before it was asked for, and not looked at yet. */
  get hasMore(): boolean {
    return this.#rest.length > 0 || this.#socket.readableLength > 0;
  }

  /** For the client to send something. */
  get isWaiting(): boolean {
    return this.#wait !== null;
  }

  /** Ends the wait in hand, and all that follow. */
  stop(): void {
    this.#stopped = true;
    this.#end('stopped');
  }

  /** Leaves the socket to somebody else. */
  release(): void {
    this.#silence();
    this.#socket.off('data', this.#onData);
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('close', this.#onEnd);
    this.#socket.off('error', this.#onEnd);
  }

  line(withinMs: number, watch?: SpeedWatch): Line | Promise<Line> {
    return this.#takeLine() ?? this.#until(() => this.#takeLine(), lineEnd, withinMs, watch);
  }

  /** Reads on to the end of a message that is too large, up to twice what is allowed. */
  message(
    into: MessageSink,
    maxBytes: number,
    withinMs: number,
    watch?: SpeedWatch,
  ): MessageEnd | Promise<MessageEnd> {
    const take = () => this.#takeMessage(into, maxBytes);
    return take() ?? this.#until(take, messageEnd, withinMs, watch);
  }

  #takeLine(): Line | null {
    const end = this.#rest.indexOf(LF);
    if (end >= MAX_LINE_BYTES || (end < 0 && this.#rest.length > MAX_LINE_BYTES)) return MALFORMED;
    if (end < 0) return null;
    const text = this.#rest.toString('utf8', 0, end + 1);
    this.#rest = end + 1 === this.#rest.length ? NOTHING : this.#rest.subarray(end + 1);
    return WELL_FORMED.test(text) ? { kind: 'line', text: text.slice(0, -2) } : MALFORMED;
  }

  #takeMessage(into: MessageSink, maxBytes: number): MessageEnd | null {
    if (this.#rest.length === 0) return null;
    const after = into.take(this.#rest);
    this.#rest = after ?? NOTHING;
    if (after !== null) return into.size > maxBytes ? 'too_large' : 'complete';
    return into.size > 2 * maxBytes ? 'gone' : null;
  }

  #until<T>(
    take: () => T | null,
    ended: (why: End) => T,
    withinMs: number,
    watch?: SpeedWatch,
  ): T | Promise<T> {
    if (this.#stopped) return ended('stopped');
    if (this.#ended) return ended('gone');
    if (withinMs <= 0) return ended('timeout');
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + withinMs;
      this.#wait = {
        deadline,
        watch,
        take: () => {
          try {
            const taken = take();
            if (taken === null) return false;
            resolve(taken);
          } catch (error) {
            // Here nobody else is there to catch it: one session would end them all.
            reject(error);
          }
          return true;
        },
        end: (why) => resolve(ended(why)),
      };
      this.#ring(this.#wait);
      if (this.#isPaused) this.#resume();
    });
  }

  #add(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#wait === null) {
      if (this.#rest.length >= READ_AHEAD_BYTES && !this.#isPaused) this.#pause();
    } else if (this.#wait.take()) this.#wait = null;
    else this.#yieldAfter(chunk.length);
  }

  /** One turn of the event loop reads up to 2 MiB from each socket that has so much: milliseconds of work, times hundreds of sessions. */
  #yieldAfter(bytes: number): void {
    this.#takenBytes += bytes;
    if (this.#takenBytes < LOOK_BYTES) return;
    this.#takenBytes = 0;
    if (this.#isPaused || !this.#turns.isOver) return;
    this.#pause();
    void this.#turns.next().then(() => {
      if (this.#isPaused && this.#wait !== null) this.#resume();
    });
  }

  #end(why: End): void {
    const wait = this.#wait;
    this.#wait = null;
    wait?.end(why);
  }

  #pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    this.#isPaused = false;
    this.#socket.resume();
  }

  /** One that is set already stays: it looks then how long there still is. */
  #ring({ deadline, watch }: Wait): void {
    const now = performance.now();
    const at = watch === undefined ? deadline : Math.min(deadline, now + watch.everyMs);
    if (this.#alarm !== null && this.#alarm.at <= at) return;
    this.#silence();
    this.#alarm = { timer: setTimeout(() => this.#onAlarm(), at - now), at };
  }

  #onAlarm(): void {
    this.#alarm = null;
    if (this.#wait === null) return;
    if (this.#wait.deadline <= performance.now()) this.#end('timeout');
    else if (this.#wait.watch?.isTooSlow()) this.#end('too_slow');
    else this.#ring(this.#wait);
  }

  #silence(): void {
    clearTimeout(this.#alarm?.timer);
    this.#alarm = null;
  }
}

const lineEnd = (kind: End): Line => ({ kind });
const messageEnd = (why: End): MessageEnd => why;
const MALFORMED: Line = { kind: 'malformed' };
/** Tabs are white space; other control characters have no place in a command. */
const WELL_FORMED = /^[^\x00-\x08\x0a-\x1f\x7f]*\r\n$/;
