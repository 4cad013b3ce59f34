/**
 * Large values that are read in pieces. The driver has a row as text and decodes each value in one go: 25 MB of bytes are 50 MB of
 * hexadecimal digits, which took a fifth of a second of the event loop (2026-11, one core of a Xeon at 2.5 GHz).
 */
import { Turns } from '../runtime/turns.ts';

export const PIECE_BYTES = 256 * 1024;

/** One buffer of them, copied in turns. */
export async function joinPieces(pieces: readonly Buffer[]): Promise<Buffer> {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  const turns = new Turns();
  let at = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    if (turns.isOver) await turns.next();
  }
  return whole;
}
