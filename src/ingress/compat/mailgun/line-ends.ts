/** Normalizes the line ends of a raw message from a form. */
import { Problems } from '../../../runtime/problems.ts';
import { Turns } from '../../../runtime/turns.ts';

const LF = 0x0a;
const CR = 0x0d;
/** Equals the maximum size of a message over SMTP. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Bytes copied between two checks of the clock: 1 to 2 ms. */
const SLICE_BYTES = 256 * 1024;
/** Longer lines are found and copied by native calls; a text may also consist of short lines only. */
const SHORT_LINE = 32;

/**
 * Converts LF to CRLF in a message without CR, as programs write it to files. Other messages stay unchanged.
 */
export async function withLineEnds(mime: Buffer): Promise<Buffer> {
  if (mime.includes(CR)) return mime;
  const turns = new Turns();
  const slices: Buffer[] = [];
  let length = 0;
  for (let from = 0; from < mime.length; from += SLICE_BYTES) {
    if (turns.isOver) await turns.next();
    const slice = withCrs(mime.subarray(from, from + SLICE_BYTES));
    slices.push(slice);
    length += slice.length;
    if (length > MAX_BYTES) throw tooLarge();
  }
  return Buffer.concat(slices);
}

function withCrs(slice: Buffer): Buffer {
  const out = Buffer.allocUnsafe(2 * slice.length);
  let length = 0;
  for (let at = 0, lineAt = 0; at < slice.length; at += 1) {
    if (at - lineAt > SHORT_LINE) {
      const found = slice.indexOf(LF, at);
      const end = found < 0 ? slice.length : found;
      length += slice.copy(out, length, at, end);
      at = end;
      if (at === slice.length) break;
    }
    if (slice[at] === LF) {
      out[length++] = CR;
      lineAt = at;
    }
    out[length++] = slice[at] as number;
  }
  return out.subarray(0, length);
}

function tooLarge(): Error {
  return new Problems()
    .add('message', 'must not be larger than 20 MiB, with lines that end with CRLF')
    .toError();
}
