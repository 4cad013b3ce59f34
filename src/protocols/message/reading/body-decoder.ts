/**
 * postal-mime's decoders for bodies of any size: the same octets, in steps. Its own decoders keep an object
 * per line, which takes gigabytes for 20 MB of empty lines.
 */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { hexDigit } from './transfer-decoding.ts';

const STEP_BYTES = 64 * 1024;
const LINES_PER_STEP = 500;
const LF = 0x0a;
const CR = 0x0d;
const EQUALS = 0x3d;

/** The encodings that postal-mime distinguishes. */
export type BodyEncoding = 'base64' | 'quoted-printable' | 'plain';

/** `pieces` are whole lines; only the last may lack its end. */
export function* decodedBody(pieces: readonly Buffer[], encoding: BodyEncoding): SlicedWork<ArrayBuffer> {
  const body = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  if (encoding === 'base64') return yield* fromBase64(body);
  // Every line but the last already has its end.
  const out = new Uint8Array(body.length + 1);
  const length = encoding === 'plain' ? yield* plainLines(body, out) : yield* fromQuotedPrintable(body, out);
  return out.buffer.slice(0, length);
}

/** Padding ends a unit, and another one may follow: some programs pad every line. */
function* fromBase64(body: Buffer): SlicedWork<ArrayBuffer> {
  const units: Buffer[] = [];
  let open = '';
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    if (at > 0) yield;
    const text = body.toString('latin1', at, Math.min(at + STEP_BYTES, body.length));
    const found = text.replace(/[^a-zA-Z0-9+/=]+/g, '').split(/=+/);
    for (const [index, unit] of found.entries()) {
      open += unit;
      const isClosed = index < found.length - 1;
      const whole = isClosed ? open.length : open.length - (open.length % 4);
      if (whole > 0) units.push(Buffer.from(open.slice(0, whole), 'base64'));
      open = open.slice(whole);
    }
  }
  const whole = Buffer.concat([...units, Buffer.from(open, 'base64')]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length) as ArrayBuffer;
}

/**
 * Converts all line ends to LF, byte by byte: an object for each of 20 million lines would burden the garbage
 * collector.
 */
function* plainLines(body: Buffer, out: Uint8Array): SlicedWork<number> {
  const written = { length: 0, returns: 0 };
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    if (at > 0) yield;
    copyLines(body, at, Math.min(at + STEP_BYTES, body.length), out, written);
  }
  if (body.length > 0 && body.at(-1) !== LF) out[written.length++] = LF;
  return written.length;
}

/** `returns` counts carriage returns read but not written, because they may belong to a line end. */
function copyLines(
  body: Buffer,
  from: number,
  until: number,
  out: Uint8Array,
  written: { length: number; returns: number },
): void {
  let { length, returns } = written;
  for (let at = from; at < until; at += 1) {
    const byte = body[at] as number;
    if (byte === CR) {
      returns += 1;
      continue;
    }
    if (returns > 0 && byte !== LF) {
      out.fill(CR, length, length + returns);
      length += returns;
    }
    returns = 0;
    out[length++] = byte;
  }
  written.length = length;
  written.returns = returns;
}

function* fromQuotedPrintable(body: Buffer, out: Uint8Array): SlicedWork<number> {
  const written = { length: 0 };
  let next = 0;
  for (let lines = 1; next < body.length; lines += 1) {
    const [start, end, after] = lineAt(body, next);
    next = after;
    const isSoft = end > start && body[end - 1] === EQUALS;
    const last = isSoft ? end - 1 : end;
    for (let at = start; at < last; ) {
      at = decodeUpTo(body, at, last, out, written);
      if (at < last) yield;
    }
    if (!isSoft) out[written.length++] = LF;
    if (lines % LINES_PER_STEP === 0) yield;
  }
  return written.length;
}

/** Decodes part of a line that ends at `end`. Returns where to continue. */
function decodeUpTo(
  body: Buffer,
  from: number,
  end: number,
  out: Uint8Array,
  written: { length: number },
): number {
  const until = Math.min(from + STEP_BYTES, end);
  let { length } = written;
  let at = from;
  while (at < until) {
    const byte = body[at] as number;
    const high = byte === EQUALS && at + 2 < end ? hexDigit(body[at + 1]) : -1;
    const low = high < 0 ? -1 : hexDigit(body[at + 2]);
    out[length++] = low < 0 ? byte : high * 16 + low;
    at += low < 0 ? 1 : 3;
  }
  written.length = length;
  return at;
}

/** The offsets of a line's start, its end without CR and LF, and the next line. */
export function lineAt(bytes: Buffer, start: number): readonly [start: number, end: number, next: number] {
  const newline = bytes.indexOf(LF, start);
  const next = newline === -1 ? bytes.length : newline + 1;
  let end = newline === -1 ? next : newline;
  while (end > start && bytes[end - 1] === CR) end -= 1;
  return [start, end, next];
}
