/**
 * Responses with texts of megabytes. The serializer writes everything else, by the schema, with a placeholder
 * for each long text. The texts follow piece by piece as the client reads, because escaping 20 MB at once
 * blocks the event loop.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

const LONG = 64 * 1024;
/** A multiple of three, so that the base64 of the pieces joins to the base64 of the whole. */
const PIECE = 48 * 1024;
const FIRST_HALF = /[\ud800-\udbff]$/;

export class LongTexts {
  readonly #byMark = new Map<string, string | Buffer>();

  /** Returns the placeholder for the response. Bytes become base64. */
  put(content: string | Buffer): string {
    if (content.length <= LONG) return typeof content === 'string' ? content : content.toString('base64');
    const mark = randomUUID();
    this.#byMark.set(mark, content);
    return mark;
  }

  /** Return the result from the handler. Without long texts it is the plain response. */
  answer<Data>(reply: FastifyReply, data: Data): Data {
    if (this.#byMark.size === 0) return data;
    reply.type('application/json; charset=utf-8');
    const pieces = this.#pieces(reply.serialize(data) as string);
    return Readable.from(pieces, { objectMode: false }) as unknown as Data;
  }

  *#pieces(json: string): Generator<string> {
    const marks = new RegExp([...this.#byMark.keys()].join('|'), 'g');
    let written = 0;
    for (const { 0: mark, index } of json.matchAll(marks)) {
      yield json.slice(written, index);
      yield* piecesOf(this.#byMark.get(mark) ?? '');
      written = index + mark.length;
    }
    yield json.slice(written);
  }
}

/** The pieces of the content between the quotes. */
function* piecesOf(content: string | Buffer): Generator<string> {
  for (let at = 0; at < content.length; ) {
    let piece = content.slice(at, at + PIECE);
    // Keeps surrogate pairs together.
    if (typeof piece === 'string' && FIRST_HALF.test(piece) && at + PIECE < content.length)
      piece = piece.slice(0, -1);
    at += piece.length;
    yield typeof piece === 'string' ? JSON.stringify(piece).slice(1, -1) : piece.toString('base64');
  }
}
