/**
 * How the messages of a session come in: with DATA, or in chunks with BDAT. It owns the message that comes in chunks, and how
 * many messages have begun. 250 follows when the dialogue has the message safe, never before.
 */
import type { Dialogue, SessionOptions } from './dialogue.ts';
import type { MessageReader, MessageSink } from './message-reader.ts';
import { REPLIES, type Reply } from './replies.ts';
import type { SessionConnection } from './session-connection.ts';
import type { MessageEnd } from './session-input.ts';

/** What became of the recipients of a transaction. */
interface EnvelopeState {
  readonly accepted: boolean;
  readonly refused: boolean;
}

export interface IntakeResult {
  /** Null where there is nobody to tell. */
  readonly reply: Reply | null;
  /** `message`: the transaction. `session`: nobody knows where the next command begins. */
  readonly ends?: 'message' | 'session';
}

export class MessageIntake {
  readonly #dialogue: Dialogue;
  readonly #connection: SessionConnection;
  readonly #maxBytes: number;
  #chunked: MessageReader | null = null;
  #count = 0;

  constructor(dialogue: Dialogue, connection: SessionConnection, { maxMessageBytes }: SessionOptions) {
    this.#dialogue = dialogue;
    this.#connection = connection;
    this.#maxBytes = maxMessageBytes;
  }

  /** Of messages that have begun. */
  get count(): number {
    return this.#count;
  }

  get isInChunks(): boolean {
    return this.#chunked !== null;
  }

  reset(): void {
    this.#chunked = null;
    this.#connection.messageEnded();
  }

  async data(argument: string, envelope: EnvelopeState | null): Promise<IntakeResult> {
    if (argument !== '') return { reply: REPLIES.argument };
    const refused = this.isInChunks ? REPLIES.sequence : refusalOf(envelope);
    if (refused !== null) return { reply: refused };
    this.#connection.write('354 End data with <CR><LF>.<CR><LF>\r\n');
    const reader = this.#begin();
    return this.#finish(await this.#connection.message(reader), reader);
  }

  /** `isStranger`: of a client that has neither logged in nor begun a message nothing is read. */
  async chunk(argument: string, envelope: EnvelopeState | null, isStranger: boolean): Promise<IntakeResult> {
    if (!this.#dialogue.takesChunks) return { reply: REPLIES.notImplemented };
    const chunk = parseChunk(argument);
    if (chunk === null) return { reply: REPLIES.argument, ends: 'session' };
    if (isStranger) return { reply: REPLIES.sequence, ends: 'session' };
    if (chunk.bytes > 2 * this.#maxBytes) return { reply: REPLIES.tooLarge, ends: 'session' };
    const refused = refusalOf(envelope) ?? this.#tooLarge(chunk.bytes);
    if (refused !== null) return this.#discard(chunk.bytes, refused);
    this.#chunked ??= this.#begin();
    const end = await this.#read(chunk.bytes, this.#chunked);
    if (end === 'complete' && !chunk.isLast) return { reply: REPLIES.chunkOk };
    return this.#finish(end, this.#chunked);
  }

  #tooLarge(bytes: number): Reply | null {
    return (this.#chunked?.size ?? 0) + bytes > this.#maxBytes ? REPLIES.tooLarge : null;
  }

  /** The bytes of a refused chunk are read: what follows them is the next command. */
  async #discard(bytes: number, refused: Reply): Promise<IntakeResult> {
    const end = await this.#read(bytes, null);
    return end === 'complete' ? { reply: refused, ends: 'message' } : this.#interrupted(end);
  }

  #read(bytes: number, into: MessageReader | null): MessageEnd | Promise<MessageEnd> {
    return bytes === 0 ? 'complete' : this.#connection.message(new ChunkSink(bytes, into));
  }

  #begin(): MessageReader {
    this.#count += 1;
    return this.#dialogue.reader();
  }

  async #finish(end: MessageEnd, reader: MessageReader): Promise<IntakeResult> {
    if (end !== 'complete') return this.#interrupted(end);
    return { reply: await this.#dialogue.take(reader), ends: 'message' };
  }

  #interrupted(end: Exclude<MessageEnd, 'complete'>): IntakeResult {
    if (end === 'gone') return { reply: null, ends: 'session' };
    return { reply: this.#connection.lastWords(end), ends: 'message' };
  }
}

function refusalOf(envelope: EnvelopeState | null): Reply | null {
  if (envelope?.accepted) return null;
  return envelope?.refused ? REPLIES.noRecipient : REPLIES.sequence;
}

interface Chunk {
  readonly bytes: number;
  readonly isLast: boolean;
}

/** `86 LAST`; null where it is not that, and nobody knows how many bytes of a message follow. */
function parseChunk(argument: string): Chunk | null {
  const match = /^(\d{1,12})(?:[ \t]+(LAST))?$/i.exec(argument);
  return match === null ? null : { bytes: Number(match[1]), isLast: match[2] !== undefined };
}

/** Reads the bytes of one chunk (BDAT, RFC 3030) into a message. The bytes of a refused chunk are read and dropped. */
class ChunkSink implements MessageSink {
  readonly #into: MessageReader | null;
  readonly #bytes: number;
  #left: number;

  constructor(bytes: number, into: MessageReader | null) {
    this.#bytes = bytes;
    this.#left = bytes;
    this.#into = into;
  }

  /** Of the whole message. */
  get size(): number {
    return this.#into?.size ?? this.#bytes - this.#left;
  }

  take(bytes: Buffer): Buffer | null {
    const own = bytes.subarray(0, this.#left);
    this.#left -= own.length;
    this.#into?.keep(own);
    return this.#left > 0 ? null : bytes.subarray(own.length);
  }
}
