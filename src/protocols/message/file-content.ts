/**
 * The transfer encoding of attachments. Their octets arrive unchanged, with one exception that the type
 * requires (below).
 * - Text is quoted-printable, because spam filters distrust base64 for readable text. Line breaks are escaped
 * (RFC 2045, 6.7 (4)) and followed by a soft break, so that mail programs do not convert them. Not 7bit, for
 * the same reason: some programs append a line break.
 * - An attached message must not be encoded (RFC 2046, 5.2.1). If it is 7-bit with lines that SMTP accepts,
 * it is sent unchanged, with CRLF. Otherwise it would need a server with 8BITMIME, or a conversion that
 * breaks its signatures: so it is sent as an untyped file, which mail programs still open by its name.
 */
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { type PlannedContent, planBytes, survey, type TransferEncoding } from './transfer-encoding.ts';

export interface FilePlan {
  readonly content: PlannedContent;
  /** The type to write: `contentType` unless that is impossible. */
  readonly contentType: string;
}

const MESSAGE = /^message\/rfc822(?=$|[; ])/i;
const COMPOSITE = /^(?:multipart|message)\//i;
const TEXT = /^text\//i;
const NO_TYPE = 'application/octet-stream';

/** RFC 5321, 4.5.3.1.6, without the CRLF. */
const MAX_SMTP_LINE = 998;
/** Above this share of escapes, base64 is so much shorter that readable text is not worth it. */
const MAX_ESCAPES = 1 / 6;
const MAX_LINE_ENDS = 1 / 3;
const STEP_BYTES = 64 * 1024;
const CR = 0x0d;
const LF = 0x0a;

/** A message may be attached under its own type; other message types and multiparts would be taken apart. */
export function isAttachableType(contentType: string): boolean {
  return !COMPOSITE.test(contentType) || MESSAGE.test(contentType);
}

/**
 * `boundaryMark` must not occur in a line of an attached message, because it would end the surrounding one.
 */
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
  // Each line break is an escape and a soft break; one more escape for a blank at the very end.
  const plain = bytes.length + 2 * (escapes + equals + 1) + 5 * lineEnds;
  return { encoding: 'quoted-printable-exact', bytes, maxLength: plain + 3 * (Math.ceil(plain / 73) + 1) };
}

/** All line breaks must be CRLF, or all LF: a lone CR or a mixture means binary content. */
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
  /** Offset of the current line. */
  start: number;
  bare: number;
  paired: number;
}

/** False for a byte or a line that SMTP does not accept. */
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
