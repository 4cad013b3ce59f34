/**
 * Content-Transfer-Encoding: encodes bytes to 7-bit lines, directly into the message's single buffer.
 *
 * A text is scanned once to choose its encoding and an upper bound of its size, and then written. Every line
 * break of a text, also a bare CR or LF, becomes CRLF, so that no receiver can read a bare line end as SMTP
 * end-of-data.
 *
 * Files may have megabytes, so all work is done in steps of 64 KiB.
 */
import type { SlicedWork } from '../../runtime/sliced-work.ts';

export type TransferEncoding = '7bit' | 'quoted-printable' | 'base64';

/** Content with a chosen encoding that is not written yet. */
export type PlannedContent = {
  /** `quoted-printable-exact` keeps the line ends of a file unchanged. */
  readonly encoding: TransferEncoding | 'quoted-printable-exact';
  readonly bytes: Buffer;
  readonly maxLength: number;
};

const MAX_LINE = 76;
const BASE64_LINE_BYTES = (MAX_LINE / 4) * 3;
/** Whole lines of base64; takes at most 1 ms. */
const STEP_BYTES = 1_024 * BASE64_LINE_BYTES;
/** Quoted-printable up to one escape in six octets; beyond that base64 is shorter. */
const QP_MAX_ESCAPES = 1 / 6;

const CR = 0x0d;
const LF = 0x0a;
const EQUALS = 0x3d;
const DELETE = 0x7f;

const LITERAL = 0;
const ESCAPED = 1;
const LINE_END = 2;
const BLANK = 3;
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === CR || byte === LF) return LINE_END;
  if (byte === 0x20 || byte === 0x09) return BLANK;
  return byte > 0x20 && byte < DELETE && byte !== EQUALS ? LITERAL : ESCAPED;
});
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');
const BASE64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1');

/** Half a surrogate pair becomes U+FFFD. No line may begin with `mark`, the boundaries. */
export function* planText(text: string, mark: string): SlicedWork<PlannedContent> {
  const bytes = Buffer.from(text, 'utf8');
  const seen = yield* survey(bytes);
  if (seen.escapes === 0 && seen.longestLine <= MAX_LINE && !text.includes(mark)) {
    return { encoding: '7bit', bytes, maxLength: bytes.length + seen.lineEnds };
  }
  if (seen.escapes <= bytes.length * QP_MAX_ESCAPES) {
    const plain = bytes.length + 2 * (seen.escapes + seen.equals) + 3 * (seen.lineEnds + 1);
    // A soft break has 3 octets and follows at least 73.
    return { encoding: 'quoted-printable', bytes, maxLength: plain + 3 * (Math.ceil(plain / 73) + 1) };
  }
  return planBytes(yield* withCrlf(bytes, seen.lineEnds));
}

export function planBytes(bytes: Buffer): PlannedContent {
  const lines = Math.ceil(bytes.length / BASE64_LINE_BYTES);
  return { encoding: 'base64', bytes, maxLength: Math.ceil(bytes.length / 3) * 4 + 2 * lines };
}

/** For text in any character set whose part is declared quoted-printable. */
export function planQuotedPrintable(bytes: Buffer): PlannedContent {
  const plain = 3 * bytes.length + 3;
  return { encoding: 'quoted-printable', bytes, maxLength: plain + 3 * (Math.ceil(plain / 73) + 1) };
}

/** The position of the writer. */
interface Cursor {
  /** Offset in the content. */
  at: number;
  /** Offset in the message. */
  pos: number;
  column: number;
}

type Writer = (src: Buffer, out: Buffer, cursor: Cursor, until: number) => void;

const WRITERS: Readonly<Record<PlannedContent['encoding'], Writer>> = {
  '7bit': writeLines,
  'quoted-printable': writeQuotedPrintable,
  'quoted-printable-exact': writeExactly,
  base64: writeBase64,
};

/** Writes the content at `start` and returns its end. */
export function* writeContent(
  { encoding, bytes }: PlannedContent,
  out: Buffer,
  start: number,
): SlicedWork<number> {
  const write = WRITERS[encoding];
  const cursor = { at: 0, pos: start, column: 0 };
  while (cursor.at < bytes.length) {
    write(bytes, out, cursor, Math.min(cursor.at + STEP_BYTES, bytes.length));
    if (cursor.at < bytes.length) yield;
  }
  return cursor.pos;
}

type Survey = { escapes: number; equals: number; lineEnds: number; longestLine: number };

export function* survey(bytes: Buffer): SlicedWork<Survey> {
  const seen = { escapes: 0, equals: 0, lineEnds: 0, longestLine: 0, lineStart: 0 };
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    surveyPart(bytes, at, Math.min(at + STEP_BYTES, bytes.length), seen);
  }
  seen.longestLine = Math.max(seen.longestLine, bytes.length - seen.lineStart);
  return seen;
}

function surveyPart(bytes: Buffer, from: number, until: number, seen: Survey & { lineStart: number }): void {
  let { escapes, equals, lineEnds, longestLine, lineStart } = seen;
  for (let i = from; i < until; i += 1) {
    const byte = bytes[i] as number;
    const kind = KIND[byte];
    if (kind === LITERAL || kind === BLANK) continue;
    if (kind === LINE_END) {
      if (i - lineStart > longestLine) longestLine = i - lineStart;
      lineStart = i + 1;
      lineEnds += 1;
    } else if (byte === EQUALS) equals += 1;
    else escapes += 1;
  }
  Object.assign(seen, { escapes, equals, lineEnds, longestLine, lineStart });
}

function* withCrlf(bytes: Buffer, lineEnds: number): SlicedWork<Buffer> {
  const out = Buffer.allocUnsafe(bytes.length + lineEnds);
  const lines: PlannedContent = { encoding: '7bit', bytes, maxLength: out.length };
  return out.subarray(0, yield* writeContent(lines, out, 0));
}

function writeLines(src: Buffer, out: Buffer, cursor: Cursor, until: number): void {
  let { at: i, pos } = cursor;
  for (; i < until; i += 1) {
    const byte = src[i] as number;
    if (byte !== CR && byte !== LF) {
      out[pos++] = byte;
      continue;
    }
    out[pos++] = CR;
    out[pos++] = LF;
    if (byte === CR && src[i + 1] === LF) i += 1;
  }
  cursor.at = i;
  cursor.pos = pos;
}

function writeQuotedPrintable(src: Buffer, out: Buffer, cursor: Cursor, until: number): void {
  let { at: i, pos, column } = cursor;
  const { length } = src;
  for (; i < until; i += 1) {
    const byte = src[i] as number;
    // Letters are most of a text; this shortcut saves a third of the time.
    if (column < MAX_LINE - 1 && byte > EQUALS && byte < DELETE) {
      out[pos++] = byte;
      column += 1;
      continue;
    }
    const kind = KIND[byte] as number;
    if (kind === LINE_END) {
      out[pos++] = CR;
      out[pos++] = LF;
      if (byte === CR && src[i + 1] === LF) i += 1;
      column = 0;
      continue;
    }
    // A trailing blank would be lost in transit.
    const literal =
      kind === LITERAL || (kind === BLANK && i + 1 < length && KIND[src[i + 1] as number] !== LINE_END);
    if (column + (literal ? 1 : 3) >= MAX_LINE) {
      out[pos++] = EQUALS;
      out[pos++] = CR;
      out[pos++] = LF;
      column = 0;
    }
    if (literal) {
      out[pos++] = byte;
      column += 1;
    } else {
      out[pos++] = EQUALS;
      out[pos++] = HEX[byte >> 4] as number;
      out[pos++] = HEX[byte & 15] as number;
      column += 3;
    }
  }
  cursor.at = i;
  cursor.pos = pos;
  cursor.column = column;
}

/** For files: a line end is escaped like any other octet, followed by a soft line break. */
function writeExactly(src: Buffer, out: Buffer, cursor: Cursor, until: number): void {
  let { at: i, pos, column } = cursor;
  const last = src.length - 1;
  for (; i < until; i += 1) {
    const byte = src[i] as number;
    const kind = KIND[byte] as number;
    const isLiteral = kind === LITERAL || (kind === BLANK && i < last);
    if (column + (isLiteral ? 1 : 3) >= MAX_LINE) {
      pos = softBreak(out, pos);
      column = 0;
    }
    pos = isLiteral ? literal(byte, out, pos) : escaped(byte, out, pos);
    column += isLiteral ? 1 : 3;
    const isLineEnd = byte === LF || (byte === CR && src[i + 1] !== LF);
    if (!isLineEnd || i === last) continue;
    pos = softBreak(out, pos);
    column = 0;
  }
  cursor.at = i;
  cursor.pos = pos;
  cursor.column = column;
}

function literal(byte: number, out: Buffer, pos: number): number {
  out[pos] = byte;
  return pos + 1;
}

function escaped(byte: number, out: Buffer, pos: number): number {
  out[pos] = EQUALS;
  out[pos + 1] = HEX[byte >> 4] as number;
  out[pos + 2] = HEX[byte & 15] as number;
  return pos + 3;
}

function softBreak(out: Buffer, pos: number): number {
  out[pos] = EQUALS;
  out[pos + 1] = CR;
  out[pos + 2] = LF;
  return pos + 3;
}

/** Full lines of 76 characters with CRLF between them, none at the end. Every step begins with a line. */
function writeBase64(src: Buffer, out: Buffer, cursor: Cursor, until: number): void {
  let { at: i, pos } = cursor;
  const whole = until - ((until - i) % 3);
  let lineEnd = i === 0 ? BASE64_LINE_BYTES : i;
  for (; i < whole; i += 3) {
    if (i === lineEnd) {
      out[pos++] = CR;
      out[pos++] = LF;
      lineEnd += BASE64_LINE_BYTES;
    }
    const bits = ((src[i] as number) << 16) | ((src[i + 1] as number) << 8) | (src[i + 2] as number);
    out[pos++] = BASE64[bits >> 18] as number;
    out[pos++] = BASE64[(bits >> 12) & 63] as number;
    out[pos++] = BASE64[(bits >> 6) & 63] as number;
    out[pos++] = BASE64[bits & 63] as number;
  }
  cursor.at = until;
  cursor.pos = whole === until ? pos : writeBase64End(src.subarray(whole), out, pos, whole === lineEnd);
}

/** The last one or two bytes, with padding. */
function writeBase64End(rest: Buffer, out: Buffer, start: number, beginsLine: boolean): number {
  const pos = beginsLine ? start + out.write('\r\n', start, 'latin1') : start;
  return pos + out.write(rest.toString('base64'), pos, 'latin1');
}
