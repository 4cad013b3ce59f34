/**
 * RFC 5321, 2.3.8 and 4.1.1.4: CR and LF are in a message only together, as the end of a line, and NUL is in none. Where
 * servers disagree about what ends a line, one message can be made to look like two, so nothing else is passed on.
 */
import { Turns } from '../../kit/runtime/turns.ts';

const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;
/** Bytes that are looked at before the clock is: about a millisecond of work. */
const SLICE_BYTES = 256 * 1024;

/** What is wrong, and in which line; null when nothing is. A message may be ten million empty lines. */
export async function badByte(mime: Buffer): Promise<string | null> {
  const turns = new Turns();
  let line = 1;
  for (let from = 0; from < mime.length; from += SLICE_BYTES) {
    const until = Math.min(from + SLICE_BYTES, mime.length);
    for (let at = from; at < until; at += 1) {
      const byte = mime[at] as number;
      if (byte > CR) continue;
      const what = problemAt(mime, at, byte);
      if (what !== null) return `The message has a ${what} in line ${line}${ADVICE[what]}`;
      if (byte === LF) line += 1;
    }
    if (turns.isOver) await turns.next();
  }
  return null;
}

const ADVICE = {
  NUL: '.',
  'CR without LF': ': lines end with CRLF.',
  'LF without CR': ': lines end with CRLF.',
} as const;

function problemAt(mime: Buffer, at: number, byte: number): keyof typeof ADVICE | null {
  if (byte === NUL) return 'NUL';
  if (byte === CR && mime[at + 1] !== LF) return 'CR without LF';
  if (byte === LF && mime[at - 1] !== CR) return 'LF without CR';
  return null;
}
