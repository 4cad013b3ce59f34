/** Decodes base64 in time slices, so that twenty megabytes do not block the event loop. */
import { Turns } from '../../runtime/turns.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** A multiple of four, so that each piece can be decoded separately. */
const PIECE_CHARS = 256 * 1024;

export function isBase64(text: string): boolean {
  return BASE64.test(text);
}

/**
 * Removes the line breaks that many encoders write. They may be as frequent as every second character, so
 * bytes are moved, not matched.
 */
export async function withoutSpaces(text: string, turns = new Turns()): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    if (turns.isOver) await turns.next();
    // Characters beyond ASCII become several bytes, which are no base64 either.
    const bytes = Buffer.from(text.slice(from, from + PIECE_CHARS));
    let length = 0;
    for (const byte of bytes) if (!isSpace(byte)) bytes[length++] = byte;
    pieces.push(bytes.toString('latin1', 0, length));
  }
  return pieces.join('');
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

export async function decodeBase64(text: string, turns = new Turns()): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    if (turns.isOver) await turns.next();
    const piece = text.slice(from, from + PIECE_CHARS);
    const isLast = from + PIECE_CHARS >= text.length;
    if (!isBase64(piece) || (!isLast && piece.endsWith('='))) return null;
    pieces.push(Buffer.from(piece, 'base64'));
  }
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}
