/**
 * RFC 5321, 2.3.8 and 4.1.1.4: CR and LF only occur together, as a line break, and NUL never. If servers
 * disagree about line breaks, one message can appear as two, and one header as another (SMTP smuggling). So
 * all other input is refused.
 */
import { Turns } from '../../../runtime/turns.ts';

const CR = 0x0d;
const LF = 0x0a;
/** Checked in one go: 0.25 ms. */
const PIECE_BYTES = 128 * 1024;

/**
 * The first problem with its line, or null. In time slices, because a message may consist of ten million
 * empty lines.
 */
export async function badByte(mime: Buffer): Promise<string | null> {
  const turns = new Turns();
  let line = 1;
  for (let from = 0; from < mime.length; from += PIECE_BYTES) {
    const to = Math.min(from + PIECE_BYTES, mime.length);
    for (let at = from; at < to; at += 1) {
      const byte = mime[at] as number;
      if (byte > CR || (byte !== LF && byte !== CR && byte !== 0)) continue;
      if (byte === 0) return `The message has a NUL in line ${line}.`;
      if (byte === CR && mime[at + 1] !== LF) return notAlone('CR without LF', line);
      if (byte === LF && mime[at - 1] !== CR) return notAlone('LF without CR', line);
      if (byte === LF) line += 1;
    }
    if (turns.isOver) await turns.next();
  }
  return null;
}

function notAlone(what: string, line: number): string {
  return `The message has a ${what} in line ${line}: lines end with CRLF.`;
}
