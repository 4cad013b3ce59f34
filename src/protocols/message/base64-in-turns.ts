/** From base64 to bytes. Twenty megabytes are decoded in turns, so that nobody waits for them. */
import { Turns } from '../../runtime/turns.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** A multiple of four: each piece is decoded by itself. */
const PIECE_CHARS = 256 * 1024;

export function isBase64(text: string): boolean {
  return BASE64.test(text);
}

/** Without the line ends that many encoders write. Every other character may be one, so bytes are moved, not matched. */
export async function withoutSpaces(text: string, turns = new Turns()): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    if (turns.isOver) await turns.next();
    // What is not ASCII becomes several bytes that are no base64 either.
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

/** Null when it is not base64. */
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
