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
import { GrowingBuffer } from '../growing-buffer.ts';

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;

/** Where in a line the next byte is. */
type LineState =
  | 'in_line'
  | 'after_cr'
  | 'line_start'
  /** After a dot at the start of a line, which is dropped. */
  | 'after_dot'
  /** After such a dot and a CR, which is held back: it may belong to the end. */
  | 'after_dot_cr';

export class MessageReader {
  readonly #kept: GrowingBuffer;
  readonly #mayKeep: (bytes: number) => boolean;
  #isKept = true;
  #size = 0;
  #state: LineState = 'line_start';

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
    let from = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      if (this.#state === 'in_line') i = this.#skip(chunk, i);
      const byte = chunk[i] as number;
      if (this.#state === 'after_dot_cr') {
        if (byte === LF) return chunk.subarray(i + 1);
        this.#keep(HELD_BACK);
        from = i;
        this.#state = byte === CR ? 'after_cr' : 'in_line';
      } else if (this.#state === 'after_dot') {
        from = byte === CR ? i + 1 : i;
        this.#state = byte === CR ? 'after_dot_cr' : 'in_line';
      } else if (byte === DOT && this.#state === 'line_start') {
        this.#keep(chunk.subarray(from, i));
        from = i + 1;
        this.#state = 'after_dot';
      } else if (byte === CR) this.#state = 'after_cr';
      else this.#state = byte === LF && this.#state === 'after_cr' ? 'line_start' : 'in_line';
    }
    this.#keep(chunk.subarray(from));
    return null;
  }

  /** To the next dot that begins a line, or to the last two bytes: between them is nothing to decide. */
  #skip(chunk: Buffer, from: number): number {
    const lineEnd = chunk.indexOf(DOT_AT_START, from);
    if (lineEnd < 0) return Math.max(from, chunk.length - 2);
    this.#state = 'line_start';
    return lineEnd + 2;
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (!this.#isKept) return;
    this.#isKept = this.#mayKeep(this.#size);
    if (this.#isKept) this.#kept.add(bytes);
    else this.#kept.clear();
  }
}

const HELD_BACK = Buffer.from('\r');
const DOT_AT_START = Buffer.from('\r\n.');
