/**
 * A small MIME splitter: walks the raw bytes once, from one delimiter line to the next, and notes where each part lies.
 * Nothing is decoded or copied here. Included messages are parts like any other: what is inside them is somebody
 * else's. Of a huge message only the beginning is looked at, unless asked: reports come before what they return.
 */
import { type ContentType, readContentType } from './content-type.ts';
import { type Fields, readFields } from './fields.ts';

export interface MessagePart {
  readonly fields: Fields;
  readonly content: ContentType;
  /** The body as it stands in the message, transfer encoding and all. */
  readonly body: Buffer;
}

export interface SplitMessage {
  readonly fields: Fields;
  readonly content: ContentType;
  /** The parts that hold something, in order, however deep they were nested. A simple message is its own only part. */
  readonly parts: readonly MessagePart[];
}

export const MAX_BYTES = 1_048_576;
export const MAX_DEPTH = 6;
export const MAX_PARTS = 64;
const MAX_BOUNDARY = 200;
/** Header lines of a part; a message's own may be far more. */
const MAX_PART_LINES = 100;
/** Lines that begin like a delimiter and are compared with the boundaries. */
const MAX_CANDIDATES = 5_000;
const LINE_OF_DASHES = Buffer.from('\n--');
const LF = 0x0a;

export function splitMessage(raw: Buffer, maxBytes: number = MAX_BYTES): SplitMessage {
  const bytes = raw.subarray(0, maxBytes);
  const head = readFields(bytes, 0, bytes.length);
  const content = readContentType(head.fields.get('content-type'));
  const boundary = boundaryOf(content);
  if (boundary === null) {
    const whole = { fields: head.fields, content, body: bytes.subarray(head.next) };
    return { fields: head.fields, content, parts: [whole] };
  }
  const parts = walk(bytes, head.next, boundary);
  if (parts.length > 0) return { fields: head.fields, content, parts };
  const guessed = guessBoundary(bytes, head.next);
  const found = guessed === null ? [] : walk(bytes, head.next, guessed);
  return { fields: head.fields, content, parts: found.length > 0 ? found : [asText(bytes, head.next)] };
}

/** A multipart without any delimiter: something may still be found in its words. */
function asText(bytes: Buffer, start: number): MessagePart {
  return { fields: new Map(), content: readContentType(undefined), body: bytes.subarray(start) };
}

interface Walk {
  readonly bytes: Buffer;
  /** Boundaries of the multiparts we are inside of, the innermost last. */
  readonly open: Buffer[];
  candidates: number;
}

interface Delimiter {
  /** Which of the open multiparts it belongs to. */
  readonly level: number;
  readonly closes: boolean;
  /** Start of its line, and of the line after it. */
  readonly start: number;
  readonly next: number;
}

function walk(bytes: Buffer, from: number, boundary: Buffer): MessagePart[] {
  const state: Walk = { bytes, open: [boundary], candidates: 0 };
  const parts: MessagePart[] = [];
  let delimiter = nextDelimiter(state, from);
  while (delimiter !== null && state.open.length > 0) {
    state.open.length = delimiter.closes ? delimiter.level : delimiter.level + 1;
    let following = nextDelimiter(state, delimiter.next);
    if (!delimiter.closes) {
      const end = following === null ? bytes.length : following.start;
      const head = readFields(bytes, delimiter.next, end, MAX_PART_LINES);
      const content = readContentType(head.fields.get('content-type'));
      const inner = state.open.length < MAX_DEPTH ? boundaryOf(content) : null;
      if (inner !== null) {
        state.open.push(inner);
        following = nextDelimiter(state, head.next);
      } else {
        parts.push({ fields: head.fields, content, body: bodyOf(bytes, head.next, end) });
        if (parts.length === MAX_PARTS) break;
      }
    }
    delimiter = following;
  }
  return parts;
}

function boundaryOf(content: ContentType): Buffer | null {
  if (!content.type.startsWith('multipart/')) return null;
  const boundary = content.parameters.get('boundary') ?? '';
  if (boundary === '' || boundary.length > MAX_BOUNDARY) return Buffer.from('\u0000');
  return Buffer.from(boundary);
}

/** The line end before a delimiter belongs to the delimiter. */
function bodyOf(bytes: Buffer, start: number, end: number): Buffer {
  let last = end;
  if (last > start && last < bytes.length && bytes[last - 1] === LF) last--;
  if (last > start && last < bytes.length && bytes[last - 1] === 0x0d) last--;
  return bytes.subarray(start, last);
}

function nextDelimiter(state: Walk, from: number): Delimiter | null {
  let at = Math.max(from - 1, 0);
  while (state.candidates < MAX_CANDIDATES) {
    const found = state.bytes.indexOf(LINE_OF_DASHES, at);
    if (found < 0) return null;
    state.candidates++;
    const delimiter = matchDelimiter(state, found + 1);
    if (delimiter !== null) return delimiter;
    at = found + 1;
  }
  return null;
}

function matchDelimiter({ bytes, open }: Walk, start: number): Delimiter | null {
  for (let level = open.length - 1; level >= 0; level--) {
    const boundary = open[level] as Buffer;
    const end = start + 2 + boundary.length;
    if (end > bytes.length || bytes[start + 2] !== boundary[0]) continue;
    if (bytes.compare(boundary, 0, boundary.length, start + 2, end) !== 0) continue;
    const newline = bytes.indexOf(LF, end);
    const next = newline < 0 ? bytes.length : newline + 1;
    const rest = bytes.toString('latin1', end, Math.min(next, end + MAX_BOUNDARY)).trimEnd();
    if (rest === '' || rest === '--') return { level, closes: rest === '--', start, next };
  }
  return null;
}

/** For a message whose declared boundary is not the one it uses: the first delimiter-like line before a field. */
function guessBoundary(bytes: Buffer, from: number): Buffer | null {
  let at = Math.max(from - 1, 0);
  for (let candidates = 0; candidates < 100; candidates++) {
    const found = bytes.indexOf(LINE_OF_DASHES, at);
    const newline = found < 0 ? -1 : bytes.indexOf(LF, found + 1);
    if (newline < 0) return null;
    const line = bytes.toString('latin1', found + 3, Math.min(newline, found + 3 + MAX_BOUNDARY)).trimEnd();
    const after = bytes.toString('latin1', newline + 1, newline + 9).toLowerCase();
    if (line !== '' && after === 'content-') return Buffer.from(line, 'latin1');
    at = newline;
  }
  return null;
}
