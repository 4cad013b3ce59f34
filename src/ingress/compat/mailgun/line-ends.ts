/** The line ends of a whole message that came in a form. */
import { Problems } from '../../../runtime/problems.ts';
import { Turns } from '../../../runtime/turns.ts';

const LF = 0x0a;
const CR = 0x0d;
/** As large as a message over SMTP may be. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Bytes that are copied before the clock is looked at: a millisecond or two of work. */
const SLICE_BYTES = 256 * 1024;
/** A longer line is found and copied by calls; every other byte may end a line, too. */
const SHORT_LINE = 32;

/** A message whose lines all end with LF, as programs write them to files, gets the CRLF that mail has. Others stay as they are. */
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
