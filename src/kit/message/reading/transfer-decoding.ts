/** Transfer encodings undone, in steps: a part may have megabytes. */
import type { Steps } from '../../runtime/steps.ts';

const STEP_BYTES = 64 * 1024;
const NO_BASE64 = /[^A-Za-z0-9+/\-_=]+/g;

/** As much as is whole, up to the first padding; what is not of the alphabet is skipped. As Node decodes it at one go. */
export function* base64Decoded(bytes: Buffer): Steps<Buffer> {
  const pieces: Buffer[] = [];
  let rest = '';
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    const text =
      rest + bytes.toString('latin1', at, Math.min(at + STEP_BYTES, bytes.length)).replace(NO_BASE64, '');
    const padding = text.indexOf('=');
    const isLast = padding !== -1 || at + STEP_BYTES >= bytes.length;
    const end = padding === -1 ? text.length : padding;
    const whole = isLast ? end : end - (end % 4);
    pieces.push(Buffer.from(text.slice(0, whole), 'base64'));
    rest = text.slice(whole);
    if (isLast) break;
  }
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

export function* quotedPrintableDecoded(bytes: Buffer): Steps<Buffer> {
  const out = Buffer.allocUnsafe(bytes.length);
  const cursor = { at: 0, length: 0 };
  while (cursor.at < bytes.length) {
    if (cursor.at > 0) yield;
    decodeUpTo(bytes, Math.min(cursor.at + STEP_BYTES, bytes.length), out, cursor);
  }
  return out.subarray(0, cursor.length);
}

function decodeUpTo(bytes: Buffer, until: number, out: Buffer, cursor: { at: number; length: number }): void {
  let { at, length } = cursor;
  for (; at < until; at += 1) {
    const byte = bytes[at] as number;
    if (byte !== 0x3d) {
      out[length++] = byte;
      continue;
    }
    const softBreak = bytes[at + 1] === 0x0a ? 1 : bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a ? 2 : 0;
    const high = hexDigit(bytes[at + 1]);
    const low = hexDigit(bytes[at + 2]);
    if (softBreak > 0) at += softBreak;
    else if (high >= 0 && low >= 0) {
      out[length++] = high * 16 + low;
      at += 2;
    } else out[length++] = byte;
  }
  cursor.at = at;
  cursor.length = length;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
