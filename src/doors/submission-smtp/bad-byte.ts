/**
 * RFC 5321, 2.3.8 and 4.1.1.4: CR and LF are in a message only together, as the end of a line, and NUL is in none. Where
 * servers disagree about what ends a line, one message can be made to look like two, so nothing else is passed on.
 */
import { Turns } from '../../kit/runtime/turns.ts';

const CR = 0x0d;
const LF = 0x0a;

/** What is wrong, and in which line; null when nothing is. A message may be ten million empty lines. */
export async function badByte(mime: Buffer): Promise<string | null> {
  const nul = mime.indexOf(0);
  if (nul >= 0) return `The message has a NUL in line ${lineOf(mime, nul)}.`;
  const turns = new Turns();
  for (let from = 0; from < mime.length; ) {
    const cr = mime.indexOf(CR, from);
    const lf = mime.indexOf(LF, from);
    if (cr < 0 && lf < 0) return null;
    if (lf !== cr + 1 || cr < 0) {
      const [at, what] = cr < 0 || (lf >= 0 && lf < cr) ? [lf, 'LF without CR'] : [cr, 'CR without LF'];
      return `The message has a ${what} in line ${lineOf(mime, at)}: lines end with CRLF.`;
    }
    from = lf + 1;
    if (turns.isOver) await turns.next();
  }
  return null;
}

function lineOf(mime: Buffer, at: number): number {
  let line = 1;
  for (let lf = mime.indexOf(LF); lf >= 0 && lf < at; lf = mime.indexOf(LF, lf + 1)) line += 1;
  return line;
}
