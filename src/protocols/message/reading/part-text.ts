/** The text of a part: decodes the transfer encoding and the character set, both up to the limit. */
import { isUtf8 } from 'node:buffer';
import { atOnce, type SlicedWork } from '../../../runtime/sliced-work.ts';
import { type CharsetDecoder, charsetDecoder, isUtf16, windows1252Decoder } from './charset.ts';
import type { MessagePart } from './split-message.ts';
import { decodingBase64, decodingQuotedPrintable, endingLines } from './transfer-decoding.ts';

const MAX_TEXT = 65_536;
/** Decoded in one go: 3 ms for the slowest character set, ISO-2022-JP. */
const PIECE_BYTES = 128 * 1024;

export function decodedBytes(part: MessagePart, limit: number = MAX_TEXT): Buffer {
  return atOnce(decoding(part, limit));
}

/** In slices, for parts of megabytes. */
export function* decoding(part: MessagePart, limit: number): SlicedWork<Buffer> {
  const encoding = (part.fields.get('content-transfer-encoding') ?? '').toLowerCase();
  // Reads only as much as can yield the wanted length, with its line ends.
  if (encoding.startsWith('base64')) return yield* decodingBase64(part.body.subarray(0, limit * 2), limit);
  if (encoding.startsWith('quoted-printable'))
    return yield* decodingQuotedPrintable(part.body.subarray(0, limit * 3), limit);
  return part.body.subarray(0, limit);
}

export function partText(part: MessagePart, limit: number = MAX_TEXT): string {
  const text = decodeCharset(decodedBytes(part, limit), part.content.parameters.get('charset') ?? '');
  return part.content.type === 'text/html' ? htmlToText(text) : text;
}

/** An unknown character set is decoded as UTF-8 if valid, or else as windows-1252. */
export function decodeCharset(bytes: Buffer, charset: string): string {
  return atOnce(decodingCharset(bytes, charset));
}

export function* decodingCharset(bytes: Buffer, charset: string): SlicedWork<string> {
  const decoder =
    decoderOf(charset) ??
    (isUtf8(bytes) ? new TextDecoder('utf-8', { ignoreBOM: true }) : windows1252Decoder());
  // Several times as fast as with `stream`.
  if (bytes.length <= PIECE_BYTES) return decoder.decode(bytes);
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    pieces.push(decoder.decode(bytes.subarray(from, from + PIECE_BYTES), { stream: true }));
    yield;
  }
  pieces.push(decoder.decode());
  return pieces.join('');
}

/** With LF alone at the end of each line. */
export function* decodingLines(bytes: Buffer, charset: string): SlicedWork<string> {
  const isEncoded = isUtf16(charset);
  const lines = yield* endingLines(isEncoded ? yield* encodingUtf8(bytes, charset) : bytes);
  return yield* decodingCharset(lines, isEncoded ? 'utf-8' : charset);
}

function* encodingUtf8(bytes: Buffer, charset: string): SlicedWork<Buffer> {
  const decoder = new TextDecoder(charset.trim());
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    pieces.push(Buffer.from(decoder.decode(bytes.subarray(from, from + PIECE_BYTES), { stream: true })));
    yield;
  }
  return Buffer.concat([...pieces, Buffer.from(decoder.decode())]);
}

/** Null for an unknown name. */
function decoderOf(charset: string): CharsetDecoder | null {
  return charset === '' || charset.length >= 40 ? null : charsetDecoder(charset);
}

const ENTITIES = new Map([
  ['&nbsp;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

/** Sufficient for finding words: tags that end a line become a line break, others are removed. */
function htmlToText(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/tr|\/h[1-6]|\/li|\/title|\/style)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
}
