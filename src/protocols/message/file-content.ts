/**
 * How a file that is attached travels. Its octets arrive as they were handed in, with one exception that the type itself
 * asks for (below).
 *
 * - Text goes as quoted-printable, because filters hold base64 against what anybody could read. Line ends are escaped
 *   (RFC 2045, 6.7 (4)) and followed by a soft break, so that no mail program turns them into those of its own system.
 *   Not 7bit, for the same reason: some programs add a line end to what has none.
 * - A message that is attached may not be encoded at all (RFC 2046, 5.2.1). Where it is 7-bit, in lines that SMTP takes,
 *   it goes as it is, with CRLF, which is what a message has. Anything else would need a server with 8BITMIME or a
 *   rewriting that breaks its signatures: it goes as a file of no type, which its name still opens as mail.
 */
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { type PlannedContent, planBytes, survey, type TransferEncoding } from './transfer-encoding.ts';

export interface FilePlan {
  readonly content: PlannedContent;
  /** The type to write above it: `contentType` unless that cannot be. */
  readonly contentType: string;
}

const MESSAGE = /^message\/rfc822(?=$|[; ])/i;
const COMPOSITE = /^(?:multipart|message)\//i;
const TEXT = /^text\//i;
const NO_TYPE = 'application/octet-stream';

/** RFC 5321, 4.5.3.1.6, without the CRLF. */
const MAX_SMTP_LINE = 998;
/** From where on base64 is shorter by so much that reading it plainly is not worth it. */
const MAX_ESCAPES = 1 / 6;
const MAX_LINE_ENDS = 1 / 3;
const STEP_BYTES = 64 * 1024;
const CR = 0x0d;
const LF = 0x0a;

/** A message may be attached under its own type; other messages and multiparts would be taken apart. */
export function isAttachableType(contentType: string): boolean {
  return !COMPOSITE.test(contentType) || MESSAGE.test(contentType);
}

/** `boundaryMark` is what no line of an attached message may hold: the end of the message around it. */
export function* planFile(
  { content: bytes, contentType }: { readonly content: Buffer; readonly contentType: string },
  boundaryMark: string,
): SlicedWork<FilePlan> {
  if (TEXT.test(contentType)) return { contentType, content: yield* planTextFile(bytes) };
  if (!COMPOSITE.test(contentType)) return { contentType, content: planBytes(bytes) };
  if (MESSAGE.test(contentType) && (yield* travelsPlainly(bytes, boundaryMark))) {
    const { lineEnds } = yield* survey(bytes);
    return { contentType, content: { encoding: '7bit', bytes, maxLength: bytes.length + lineEnds } };
  }
  return { contentType: NO_TYPE, content: planBytes(bytes) };
}

function* planTextFile(bytes: Buffer): SlicedWork<PlannedContent> {
  const { escapes, equals, lineEnds } = yield* survey(bytes);
  if (escapes > bytes.length * MAX_ESCAPES || lineEnds > bytes.length * MAX_LINE_ENDS)
    return planBytes(bytes);
  // Each line end is an escape and a soft break; one more escape for a blank at the very end.
  const plain = bytes.length + 2 * (escapes + equals + 1) + 5 * lineEnds;
  return { encoding: 'quoted-printable-exact', bytes, maxLength: plain + 3 * (Math.ceil(plain / 73) + 1) };
}

/** Line ends are either all CRLF or all LF: a lone CR, or a mixture, says that it is not really lines. */
function* travelsPlainly(bytes: Buffer, mark: string): SlicedWork<boolean> {
  const lines: LineEnds = { start: 0, bare: 0, paired: 0 };
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    if (!readLineEnds(bytes, at, Math.min(at + STEP_BYTES, bytes.length), lines)) return false;
  }
  const { start, bare, paired } = lines;
  return bytes.length - start <= MAX_SMTP_LINE && (bare === 0 || paired === 0) && !bytes.includes(mark);
}

interface LineEnds {
  /** Of the line that is being read. */
  start: number;
  bare: number;
  paired: number;
}

/** False where there is a byte or a line that SMTP does not take. */
function readLineEnds(bytes: Buffer, from: number, until: number, lines: LineEnds): boolean {
  for (let i = from; i < until; i += 1) {
    const byte = bytes[i] as number;
    if (byte === 0 || byte > 0x7f) return false;
    if (byte === CR && bytes[i + 1] !== LF) return false;
    if (byte !== LF) continue;
    const isPaired = i > 0 && bytes[i - 1] === CR;
    if (isPaired) lines.paired += 1;
    else lines.bare += 1;
    if (i - lines.start - (isPaired ? 1 : 0) > MAX_SMTP_LINE) return false;
    lines.start = i + 1;
  }
  return true;
}

export function encodingName(encoding: PlannedContent['encoding']): TransferEncoding {
  return encoding === 'quoted-printable-exact' ? 'quoted-printable' : encoding;
}
