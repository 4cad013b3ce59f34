/**
 * The bytes after DATA, as they arrive, up to the line that is a single dot.
 *
 * Only CRLF ends a line. `\n.\n`, `\r.\r` and every mixture of them is content like any other: where servers disagree
 * about the end of a message, one message can be made to look like two (SMTP smuggling).
 *
 * It owns the beginning of the message and its length. Reports say what they have to say at the beginning and append
 * the returned mail, which may be huge: the rest is counted and let go. The beginning is kept in one buffer, so a
 * session holds `keepBytes` at most, whatever its lines look like.
 */

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;

/** Where in a line the next byte is. Numbers, because every byte of a message may be asked for it. */
const IN_LINE = 0;
const AFTER_CR = 1;
const LINE_START = 2;
/** After a dot at the start of a line, which is dropped. */
const AFTER_DOT = 3;
/** After such a dot and a CR, which is held back: it may belong to the end. */
const AFTER_DOT_CR = 4;

/** Bytes of a line that are looked at one by one: a search has to be worth its call. */
const SHORT_LINE = 16;

/** Where the bytes of a message go as they arrive. */
export interface MessageSink {
  /** Of the whole message, as far as it has come. */
  readonly size: number;
  /** Takes bytes. Once it has all it returns those that follow, until then null. */
  take(bytes: Buffer): Buffer | null;
}

export class MessageReader implements MessageSink {
  readonly #kept: GrowingBuffer;
  readonly #mayKeep: (bytes: number) => boolean;
  #isKept = true;
  #size = 0;
  #state = LINE_START;

  /** `mayKeep`: whether there is room for so many bytes of it; without any, nothing is kept, and it is read to its end. */
  constructor(keepBytes: number, mayKeep: (bytes: number) => boolean = () => true) {
    this.#kept = new GrowingBuffer(keepBytes);
    this.#mayKeep = mayKeep;
  }

  /** False where there was no room for it. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Of the whole message, as far as it has come. */
  get size(): number {
    return this.#size;
  }

  /** The beginning of the message, without the dots that SMTP added. */
  head(): Buffer {
    return this.#kept.bytes();
  }

  /** Takes a chunk. Once the message is complete it returns the bytes that follow it, until then null. */
  take(chunk: Buffer): Buffer | null {
    const pieces = new Pieces(chunk);
    let state = this.#state;
    let from = 0;
    let searchAt = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      if (state === IN_LINE && i >= searchAt) {
        const dot = chunk.indexOf(DOT_AT_START, i);
        if (dot >= 0) state = LINE_START;
        // Between here and the last two bytes is nothing to decide.
        i = dot >= 0 ? dot + 2 : Math.max(i, chunk.length - 2);
      }
      const byte = chunk[i] as number;
      if (state === AFTER_DOT_CR) {
        if (byte === LF) {
          this.keep(pieces.bytes());
          return chunk.subarray(i + 1);
        }
        pieces.addCr();
        from = i;
        searchAt = i + SHORT_LINE;
        state = byte === CR ? AFTER_CR : IN_LINE;
      } else if (state === AFTER_DOT) {
        from = byte === CR ? i + 1 : i;
        searchAt = i + SHORT_LINE;
        state = byte === CR ? AFTER_DOT_CR : IN_LINE;
      } else if (byte === DOT && state === LINE_START) {
        pieces.add(from, i);
        from = i + 1;
        state = AFTER_DOT;
      } else if (byte === CR) state = AFTER_CR;
      else if (byte === LF && state === AFTER_CR) state = LINE_START;
      else {
        if (state !== IN_LINE) searchAt = i + SHORT_LINE;
        state = IN_LINE;
      }
    }
    pieces.add(from, chunk.length);
    this.#state = state;
    this.keep(pieces.bytes());
    return null;
  }

  keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (!this.#isKept) return;
    this.#isKept = this.#mayKeep(this.#size);
    if (this.#isKept) this.#kept.add(bytes);
    else this.#kept.clear();
  }
}

const DOT_AT_START = Buffer.from('\r\n.');

/** What is kept of a chunk: a view of it, or a copy without the dots that were dropped. Every other byte may be one. */
class Pieces {
  readonly #chunk: Buffer;
  #start = 0;
  #end = 0;
  #copy: Buffer | null = null;
  #length = 0;

  constructor(chunk: Buffer) {
    this.#chunk = chunk;
  }

  add(start: number, end: number): void {
    if (start >= end) return;
    if (this.#copy === null && this.#end === 0) {
      this.#start = start;
      this.#end = end;
      return;
    }
    const copy = this.#copied();
    const chunk = this.#chunk;
    const to = this.#length - start;
    if (end - start > WORTH_A_CALL) chunk.copy(copy, this.#length, start, end);
    else for (let at = start; at < end; at += 1) copy[to + at] = chunk[at] as number;
    this.#length = to + end;
  }

  /** One that was held back, perhaps since the chunk before. */
  addCr(): void {
    this.#copied()[this.#length++] = CR;
  }

  bytes(): Buffer {
    return this.#copy?.subarray(0, this.#length) ?? this.#chunk.subarray(this.#start, this.#end);
  }

  #copied(): Buffer {
    if (this.#copy === null) {
      // Each that is held back is one byte of this chunk, or of the one before.
      this.#copy = Buffer.allocUnsafe(this.#chunk.length + 1);
      this.#length = this.#chunk.copy(this.#copy, 0, this.#start, this.#end);
    }
    return this.#copy;
  }
}

const WORTH_A_CALL = 64;

/**
 * The beginning of a transfer in one buffer, which doubles up to a limit. A list of pieces would cost a
 * hundred bytes each, and the sender determines their size.
 */
export class GrowingBuffer {
  readonly #maxBytes: number;
  #buffer = NOTHING;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies as much as fits. */
  add(bytes: Uint8Array): void {
    const end = Math.min(this.#length + bytes.length, this.#maxBytes);
    if (end === this.#length) return;
    this.#makeRoom(end);
    this.#buffer.set(bytes.subarray(0, end - this.#length), this.#length);
    this.#length = end;
  }

  /** A view of the content, valid until the next addition. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#buffer = NOTHING;
    this.#length = 0;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const size = Math.max(FIRST_BYTES, bytes, 2 * this.#buffer.length);
    const larger = Buffer.allocUnsafeSlow(Math.min(size, this.#maxBytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

const NOTHING = Buffer.alloc(0);
/** Most reports are smaller. */
const FIRST_BYTES = 8 * 1024;
