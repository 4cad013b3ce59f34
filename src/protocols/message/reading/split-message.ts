/**
 * A small MIME splitter: walks the raw bytes once, from one delimiter line to the next, and records the
 * position of each part. Nothing is decoded or copied. Included messages are parts like any other; their
 * content is not parsed. Of a huge message only the beginning is read by default: reports precede the
 * returned message.
 */
import { atOnce, type SlicedWork } from '../../../runtime/sliced-work.ts';
import { contentProblem } from './clear-content.ts';
import { type ContentType, readContentType } from './content-type.ts';
import { type FieldBlock, type Fields, readFields } from './fields.ts';

export interface MessagePart {
  readonly fields: Fields;
  readonly content: ContentType;
  /** The raw body, still encoded. */
  readonly body: Buffer;
}

export interface SplitMessage {
  readonly fields: Fields;
  readonly content: ContentType;
  /** The leaf parts in order, at any depth. A simple message has itself as its only part. */
  readonly parts: readonly MessagePart[];
  /** Why other programs may find other parts, as a sentence; null without ambiguity. */
  readonly ambiguity: string | null;
}

interface SplitLimits {
  readonly bytes: number;
  readonly parts: number;
  /** Headers read, of parts and multiparts: each may have a hundred lines. */
  readonly headers: number;
  /** Lines that begin like a delimiter and are compared with the boundaries. */
  readonly candidates: number;
}

export const MAX_DEPTH = 6;
export const MAX_PARTS = 64;
const REPORT_LIMITS: SplitLimits = {
  bytes: 1_048_576,
  parts: MAX_PARTS,
  headers: 200,
  candidates: 5_000,
};
/** For mail that is read as a whole. */
export const MESSAGE_LIMITS: SplitLimits = { ...REPORT_LIMITS, bytes: Number.POSITIVE_INFINITY };
const MAX_BOUNDARY = 200;
/** Limit for white space behind a delimiter, including its line end. */
const MAX_PADDING = 200;
/** Header lines of a part; a message's own header may have far more. */
export const MAX_PART_LINES = 100;
/** Lines compared with the boundaries in one go: 0.5 ms. */
const CANDIDATES_PER_SLICE = 500;
const LINE_OF_DASHES = Buffer.from('\n--');
const LF = 0x0a;

/** Synchronous, for input known to be small. */
export function splitMessage(raw: Buffer, limits: SplitLimits = REPORT_LIMITS): SplitMessage {
  return atOnce(splitting(raw, limits));
}

export function* splitting(raw: Buffer, limits: SplitLimits = REPORT_LIMITS): SlicedWork<SplitMessage> {
  const bytes = raw.subarray(0, Math.min(raw.length, limits.bytes));
  const head = readFields(bytes, 0, bytes.length);
  const content = readContentType(head.fields.get('content-type'));
  const boundary = boundaryOf(content);
  const { fields, next } = head;
  if (boundary === null) {
    const whole = { fields, content, body: bytes.subarray(next) };
    return { fields, content, parts: [whole], ambiguity: contentProblem(bytes, head, content) };
  }
  const ambiguity = contentProblem(bytes, head, content);
  const walk: Walk = { bytes, limits, open: [openMultipart(boundary, content)], candidates: 0, ambiguity };
  const parts = yield* walkParts(walk, next);
  if (parts.length > 0) return { fields, content, parts, ambiguity: walk.ambiguity };
  const guessed = yield* guessBoundary(bytes, next);
  const again = guessed === null ? null : { ...walk, open: [openMultipart(guessed, content)], candidates: 0 };
  const found = again === null ? [] : yield* walkParts(again, next);
  const whole = found.length > 0 ? found : [asText(bytes, next)];
  return { fields, content, parts: whole, ambiguity: 'No line of the body is the delimiter that it names.' };
}

/** A multipart without any delimiter is treated as text, which may still contain information. */
function asText(bytes: Buffer, start: number): MessagePart {
  return { fields: new Map(), content: readContentType(undefined), body: bytes.subarray(start) };
}

export interface Walk {
  readonly bytes: Buffer;
  readonly limits: SplitLimits;
  /** The enclosing multiparts, innermost last. */
  readonly open: OpenMultipart[];
  candidates: number;
  ambiguity: string | null;
}

export interface OpenMultipart {
  readonly boundary: Buffer;
  /** The first part is displayed, and refers to the others. */
  readonly isRelated: boolean;
  parts: number;
}

export function openMultipart(boundary: Buffer, { type }: ContentType): OpenMultipart {
  return { boundary, isRelated: type === 'multipart/related', parts: 0 };
}

export interface PartDelimiter {
  /** Index of its multipart among the open ones. */
  readonly level: number;
  readonly closes: boolean;
  /** Offsets of its line and of the next one. */
  readonly start: number;
  readonly next: number;
}

function* walkParts(state: Walk, from: number): SlicedWork<MessagePart[]> {
  const { bytes, limits } = state;
  const parts: MessagePart[] = [];
  let headers = 0;
  const isFull = () => parts.length === limits.parts || headers === limits.headers;
  let delimiter = yield* nextDelimiter(state, from);
  while (delimiter !== null && state.open.length > 0) {
    state.open.length = delimiter.closes ? delimiter.level : delimiter.level + 1;
    let following = yield* nextDelimiter(state, delimiter.next);
    if (!delimiter.closes) {
      const end = following === null ? bytes.length : following.start;
      const head = readFields(bytes, delimiter.next, end, MAX_PART_LINES);
      const content = readContentType(head.fields.get('content-type'));
      notePart(state, head, content);
      const inner = state.open.length < MAX_DEPTH ? boundaryOf(content) : null;
      if (inner !== null) {
        state.open.push(openMultipart(inner, content));
        following = yield* nextDelimiter(state, head.next);
      } else {
        parts.push({ fields: head.fields, content, body: bodyOf(bytes, head.next, end) });
      }
      headers += 1;
      if (isFull()) break;
    }
    delimiter = following;
    yield;
  }
  if (isFull()) note(state, 'It has more parts than are read.');
  return parts;
}

function note(state: Walk, ambiguity: string): void {
  state.ambiguity ??= ambiguity;
}

function notePart(state: Walk, head: FieldBlock, content: ContentType): void {
  const level = state.open.at(-1) as OpenMultipart;
  level.parts += 1;
  if (state.ambiguity !== null) return;
  if (level.isRelated && level.parts > 1 && /^text\/(?:plain|html)$/.test(content.type))
    note(state, 'Some programs show a part as text, others as something that the text refers to.');
  if (head.problems.length > 0) note(state, 'The header of a part is not well formed.');
  state.ambiguity ??= contentProblem(state.bytes, head, content);
  if (content.type.startsWith('multipart/') && state.open.length >= MAX_DEPTH)
    note(state, 'Its parts are nested deeper than is read.');
}

export function boundaryOf(content: ContentType): Buffer | null {
  if (!content.type.startsWith('multipart/')) return null;
  const boundary = content.parameters.get('boundary') ?? '';
  if (boundary === '' || boundary.length > MAX_BOUNDARY) return Buffer.from('\u0000');
  return Buffer.from(boundary);
}

/** The line end before a delimiter belongs to the delimiter. */
export function bodyOf(bytes: Buffer, start: number, end: number): Buffer {
  let last = end;
  if (last > start && last < bytes.length && bytes[last - 1] === LF) last--;
  if (last > start && last < bytes.length && bytes[last - 1] === 0x0d) last--;
  return bytes.subarray(start, last);
}

export function* nextDelimiter(state: Walk, from: number): SlicedWork<PartDelimiter | null> {
  let at = Math.max(from - 1, 0);
  while (state.candidates < state.limits.candidates) {
    const found = yield* findLineOfDashes(state.bytes, at);
    if (found < 0) return null;
    state.candidates++;
    const delimiter = matchDelimiter(state, found + 1);
    if (delimiter !== null) return delimiter;
    at = found + 1;
    if (state.candidates % CANDIDATES_PER_SLICE === 0) yield;
  }
  note(state, 'It has more lines that look like delimiters than are read.');
  return null;
}

/** Bytes searched in one go: 2 ms if every second one is a line feed. */
const SEARCHED_BYTES = 256 * 1024;

function* findLineOfDashes(bytes: Buffer, from: number): SlicedWork<number> {
  for (let at = from; at < bytes.length; at += SEARCHED_BYTES) {
    const end = at + SEARCHED_BYTES + LINE_OF_DASHES.length - 1;
    const found = bytes.subarray(at, end).indexOf(LINE_OF_DASHES);
    if (found >= 0) return at + found;
    yield;
  }
  return -1;
}

function matchDelimiter(state: Walk, start: number): PartDelimiter | null {
  const { bytes, open } = state;
  for (let level = open.length - 1; level >= 0; level--) {
    const { boundary } = open[level] as OpenMultipart;
    const end = start + 2 + boundary.length;
    if (end > bytes.length || bytes[start + 2] !== boundary[0]) continue;
    if (bytes.compare(boundary, 0, boundary.length, start + 2, end) !== 0) continue;
    const line = bytes.subarray(end, end + MAX_PADDING);
    const newline = line.indexOf(LF);
    // A longer line is no delimiter: the boundary is followed by text, or by too much white space.
    if (newline < 0 && end + MAX_PADDING < bytes.length) continue;
    const next = newline < 0 ? bytes.length : end + newline + 1;
    const rest = bytes.toString('latin1', end, next).trimEnd();
    if (rest === '' || rest === '--') return { level, closes: rest === '--', start, next };
  }
  return null;
}

/** For a message that does not use its declared boundary: the first delimiter-like line before a field. */
function* guessBoundary(bytes: Buffer, from: number): SlicedWork<Buffer | null> {
  let at = Math.max(from - 1, 0);
  for (let candidates = 0; candidates < 100; candidates++) {
    const found = yield* findLineOfDashes(bytes, at);
    const newline = found < 0 ? -1 : bytes.indexOf(LF, found + 1);
    if (newline < 0) return null;
    const line = bytes.toString('latin1', found + 3, Math.min(newline, found + 3 + MAX_BOUNDARY)).trimEnd();
    const after = bytes.toString('latin1', newline + 1, newline + 9).toLowerCase();
    if (line !== '' && after === 'content-') return Buffer.from(line, 'latin1');
    at = newline;
  }
  return null;
}
