/** BDAT (RFC 3030): a message in chunks whose sizes are said before, so that no dots are added and no end is looked for. */
import type { MessageReader, MessageSink } from './message-reader.ts';

export interface Chunk {
  readonly bytes: number;
  readonly isLast: boolean;
}

/** `86 LAST`; null where it is not that, and nobody knows how many bytes of a message follow. */
export function parseChunk(argument: string): Chunk | null {
  const match = /^(\d{1,12})(?:[ \t]+(LAST))?$/i.exec(argument);
  return match === null ? null : { bytes: Number(match[1]), isLast: match[2] !== undefined };
}

/** Reads the bytes of one chunk into a message. The bytes of a refused chunk are read and dropped. */
export class ChunkSink implements MessageSink {
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
