/**
 * Decodes base64 and quoted-printable, and computes decoded sizes. In slices, because a part may have 25 MB.
 * Lenient.
 */
import { atOnce, type SlicedWork } from '../../../runtime/sliced-work.ts';

/** Encoded bytes processed in one go: 0.5 ms. */
const PIECE_BYTES = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const EQUALS = 0x3d;
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Skips invalid characters; the first `=` ends the content. */
export function* decodingBase64(body: Buffer, limit: number): SlicedWork<Buffer> {
  const out = Buffer.allocUnsafe(Math.min(limit, Math.ceil(body.length / 4) * 3));
  const kept = Buffer.allocUnsafe(PIECE_BYTES + 4);
  let waiting = 0;
  let length = 0;
  for (let from = 0; from < body.length && length < limit; from += PIECE_BYTES) {
    const to = Math.min(from + PIECE_BYTES, body.length);
    let at = from;
    for (; at < to && body[at] !== EQUALS; at += 1)
      if (IS_BASE64[body[at] as number] === 1) kept[waiting++] = body[at] as number;
    const isLast = at < to || to === body.length;
    const whole = isLast ? waiting : waiting - (waiting % 4);
    length += out.write(kept.toString('latin1', 0, whole), length, 'base64');
    if (isLast) break;
    kept.copyWithin(0, whole, waiting);
    waiting -= whole;
    yield;
  }
  return out.subarray(0, length);
}

export function* sizingBase64(body: Buffer): SlicedWork<number> {
  let size = 0;
  for (let from = 0; from < body.length; from += PIECE_BYTES) {
    const to = Math.min(from + PIECE_BYTES, body.length);
    for (let at = from; at < to; at += 1) {
      const byte = body[at] as number;
      if (byte > 0x20 && byte !== EQUALS) size += 1;
    }
    yield;
  }
  return Math.floor((size * 3) / 4);
}

export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  return atOnce(decodingQuotedPrintable(bytes, bytes.length));
}

export function* decodingQuotedPrintable(body: Buffer, limit: number): SlicedWork<Buffer> {
  const out = Buffer.allocUnsafe(Math.min(limit, body.length));
  const state = { at: 0, length: 0 };
  while (state.at < body.length && state.length < out.length) {
    decodePiece(body, out, state);
    yield;
  }
  return out.subarray(0, state.length);
}

/** Without keeping the result. */
export function* sizingQuotedPrintable(body: Buffer): SlicedWork<number> {
  const out = Buffer.allocUnsafe(PIECE_BYTES);
  const state = { at: 0, length: 0 };
  let size = 0;
  while (state.at < body.length) {
    state.length = 0;
    decodePiece(body, out, state);
    size += state.length;
    yield;
  }
  return size;
}

/** Replaces CRLF by LF. On bytes, because strings of millions of line ends take thirty times as long. */
export function* endingLines(bytes: Buffer): SlicedWork<Buffer> {
  let at = bytes.indexOf('\r\n', 0, 'latin1');
  if (at < 0) return bytes;
  const out = Buffer.allocUnsafe(bytes.length);
  let length = bytes.copy(out, 0, 0, at);
  while (at < bytes.length) {
    yield;
    const end = Math.min(at + PIECE_BYTES, bytes.length);
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte !== CR || bytes[at + 1] !== LF) out[length++] = byte;
    }
  }
  return out.subarray(0, length);
}

/** Decodes a piece from `at` on, as far as there is room. */
function decodePiece(body: Buffer, out: Buffer, state: { at: number; length: number }): void {
  const end = Math.min(body.length, state.at + PIECE_BYTES);
  let { at, length } = state;
  for (; at < end && length < out.length; at += 1) {
    const byte = body[at] as number;
    if (byte !== EQUALS) {
      out[length++] = byte;
      continue;
    }
    const softBreak = body[at + 1] === LF ? 1 : body[at + 1] === CR && body[at + 2] === LF ? 2 : 0;
    const high = hexDigit(body[at + 1]);
    const low = hexDigit(body[at + 2]);
    if (softBreak > 0) at += softBreak;
    else if (high >= 0 && low >= 0) {
      out[length++] = high * 16 + low;
      at += 2;
    } else out[length++] = byte;
  }
  state.at = at;
  state.length = length;
}

/** -1 for any other byte. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
