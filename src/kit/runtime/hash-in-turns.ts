/** SHA-256 of what may be large: twenty megabytes take a twentieth of a second where the processor does not help. */
import { createHash } from 'node:crypto';
import { Turns } from './turns.ts';

/** Bytes that are hashed before the clock is looked at: a few milliseconds of work. */
const PIECE_BYTES = 1024 * 1024;

export async function sha256InTurns(head: string, rest: Buffer): Promise<Buffer> {
  const turns = new Turns();
  const hash = createHash('sha256').update(head);
  for (let from = 0; from < rest.length; from += PIECE_BYTES) {
    hash.update(rest.subarray(from, from + PIECE_BYTES));
    if (turns.isOver) await turns.next();
  }
  return hash.digest();
}
