/**
 * Outlines a whole message for a reviewer who decides whether it may leave: every header field, every part at
 * any depth, and all content outside of the parts. Mail clients differ in what they show, so nothing is
 * omitted: each byte of the body belongs to a part, to a part's header, to a delimiter line, or is `outside`.
 */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { type ContentType, readContentType, readDisposition } from './content-type.ts';
import { decodeHeaderText } from './encoded-words.ts';
import { readFields } from './fields.ts';
import { fileNameIn } from './file-name.ts';
import { decodingCharset } from './part-text.ts';
import {
  bodyOf,
  boundaryOf,
  MAX_DEPTH,
  MAX_PART_LINES,
  MESSAGE_LIMITS,
  type MessagePart,
  nextDelimiter,
  type OpenMultipart,
  openMultipart,
  type PartDelimiter,
  type Walk,
} from './split-message.ts';

interface OutlinedField {
  /** The original spelling; empty for a line that is not a field. */
  readonly name: string;
  /** In one line, with encoded words decoded. */
  readonly value: string;
}

export interface OutlinedPart extends MessagePart {
  readonly head: Buffer;
  readonly disposition: ContentType;
  readonly filename: string | null;
  readonly contentId: string | null;
  /** The part contains other parts, which follow it: its body is the text before the first of them. */
  readonly isContainer: boolean;
}

export interface MessageOutline {
  readonly header: Buffer;
  readonly parts: readonly OutlinedPart[];
  /** Content before, between and behind the parts that is not blank. */
  readonly outside: readonly Buffer[];
}

/** More parts than the API creates. The rest counts as one piece outside. */
export const MAX_OUTLINED_PARTS = 200;
const SLICE_BYTES = 256 * 1024;
/** Lines of a field unfolded per slice. */
const SLICE_LINES = 500;
const MAX_NAME_CHARS = 1_000;
/** Encoded words beyond this offset are shown undecoded. */
const MAX_DECODED_CHARS = 64 * 1024;
const NOT_BLANK = /[^\s-]/;
const NOT_BASE64 = /[^A-Za-z0-9+/\s]/;
const PADDING = /^={0,2}\s*$/;

export function* outlining(raw: Buffer): SlicedWork<MessageOutline> {
  const { next } = readFields(raw, 0, raw.length);
  const outline = new Outline(raw);
  const whole = partAt(raw, 0, next, raw.length);
  const boundary = boundaryOf(whole.content);
  if (boundary === null) yield* outline.add(whole);
  else yield* outline.walk(next, openMultipart(boundary, whole.content));
  return { header: raw.subarray(0, next), parts: outline.parts, outside: outline.outside };
}

class Outline {
  readonly parts: OutlinedPart[] = [];
  readonly outside: Buffer[] = [];
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Walks like `splitMessage`, but also records what that skips. */
  *walk(from: number, level: OpenMultipart): SlicedWork<void> {
    const state: Walk = {
      ...{ bytes: this.#bytes, limits: MESSAGE_LIMITS },
      ...{ open: [level], candidates: 0, ambiguity: null },
    };
    let delimiter = yield* nextDelimiter(state, from);
    yield* this.#leave(from, delimiter?.start);
    while (delimiter !== null) {
      if (this.parts.length >= MAX_OUTLINED_PARTS) {
        yield* this.#leave(delimiter.start);
        return;
      }
      yield* this.#leaveBehind(state.open[delimiter.level]?.boundary, delimiter);
      state.open.length = delimiter.closes ? delimiter.level : delimiter.level + 1;
      const { closes } = delimiter;
      delimiter = yield* closes ? this.#behind(state, delimiter) : this.#part(state, delimiter);
    }
  }

  *#behind(state: Walk, { next }: PartDelimiter): SlicedWork<PartDelimiter | null> {
    const following = yield* nextDelimiter(state, next);
    yield* this.#leave(next, following?.start);
    return following;
  }

  *#part(state: Walk, { next }: PartDelimiter): SlicedWork<PartDelimiter | null> {
    const following = yield* nextDelimiter(state, next);
    const end = following?.start ?? this.#bytes.length;
    const part = partAt(this.#bytes, next, undefined, end);
    const inner = state.open.length < MAX_DEPTH ? boundaryOf(part.content) : null;
    if (inner === null) {
      yield* this.add(part);
      return following;
    }
    state.open.push(openMultipart(inner, part.content));
    const bodyAt = part.body.byteOffset - this.#bytes.byteOffset;
    yield* this.add({ ...part, body: part.body.subarray(0, 0), isContainer: true });
    const first = yield* nextDelimiter(state, bodyAt);
    yield* this.#leave(bodyAt, first?.start);
    return first;
  }

  *add(part: OutlinedPart): SlicedWork<void> {
    this.parts.push(part);
    const encoding = part.fields.get('content-transfer-encoding') ?? '';
    // Mail clients decode malformed base64 differently.
    if (/^base64/i.test(encoding) && !(yield* isBase64(part.body))) this.outside.push(part.body);
  }

  *#leave(from: number, to = this.#bytes.length): SlicedWork<void> {
    const left = this.#bytes.subarray(from, Math.max(from, to));
    if ((yield* indexOfMatch(left, NOT_BLANK)) !== -1) this.outside.push(left);
  }

  /** A delimiter line may continue far beyond the boundary. */
  *#leaveBehind(boundary: Buffer | undefined, { start, next }: PartDelimiter): SlicedWork<void> {
    yield* this.#leave(start + 2 + (boundary?.length ?? 0), next);
  }
}

function* isBase64(body: Buffer): SlicedWork<boolean> {
  const end = yield* indexOfMatch(body, NOT_BASE64);
  if (end === -1) return true;
  const padding = Math.min(end + 2, body.length);
  return (
    PADDING.test(body.toString('latin1', end, padding)) &&
    (yield* indexOfMatch(body.subarray(padding), /\S/)) === -1
  );
}

/** The offset of the first byte that a single-character pattern matches, or -1. */
function* indexOfMatch(bytes: Buffer, pattern: RegExp): SlicedWork<number> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const found = bytes.toString('latin1', at, at + SLICE_BYTES).search(pattern);
    if (found !== -1) return at + found;
    yield;
  }
  return -1;
}

function partAt(bytes: Buffer, from: number, bodyFrom: number | undefined, end: number): OutlinedPart {
  const { fields, next } = readFields(bytes, from, end, bodyFrom === undefined ? MAX_PART_LINES : undefined);
  const content = readContentType(fields.get('content-type'));
  const disposition = readDisposition(fields.get('content-disposition'));
  return {
    ...{ fields, content, disposition, isContainer: false },
    head: bytes.subarray(from, next),
    body: bodyOf(bytes, next, end),
    filename: fileNameIn(disposition.parameters, 'filename') ?? fileNameIn(content.parameters, 'name'),
    contentId: fields.get('content-id')?.replace(/^<|>$/g, '') ?? null,
  };
}

/** All fields of a header in order. One line of a part's header may have megabytes. */
export function* outliningFields(head: Buffer): SlicedWork<OutlinedField[]> {
  const text = yield* decodingCharset(head, '');
  yield;
  const fields: OutlinedField[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfField(text, at);
    const line = yield* unfolding(text.slice(at, end));
    if (line !== '') fields.push(yield* readingField(line));
    at = end + 1;
    yield;
  }
  return fields;
}

function endOfField(text: string, from: number): number {
  let end = text.indexOf('\n', from);
  while (end !== -1 && (text[end + 1] === ' ' || text[end + 1] === '\t')) end = text.indexOf('\n', end + 1);
  return end === -1 ? text.length : end;
}

/** Joins the lines without surrounding blanks. */
function* unfolding(field: string): SlicedWork<string> {
  const lines: string[] = [];
  for (let at = 0; at < field.length; ) {
    const newline = field.indexOf('\n', at);
    const end = newline === -1 ? field.length : newline;
    const line = yield* trimming(field.slice(at, end));
    if (line !== '') lines.push(line);
    at = end + 1;
    if (lines.length % SLICE_LINES === 0) yield;
  }
  return lines.join(' ');
}

function* readingField(line: string): SlicedWork<OutlinedField> {
  const colon = line.slice(0, MAX_NAME_CHARS).indexOf(':');
  const [, name] = /^([!-9;-~]+)[ \t]*$/.exec(line.slice(0, Math.max(0, colon))) ?? [];
  const value = name === undefined ? line : yield* trimming(line.slice(colon + 1));
  const decoded = decodeHeaderText(value, MAX_DECODED_CHARS);
  return { name: name ?? '', value: decoded + value.slice(MAX_DECODED_CHARS) };
}

/** Equals `text.trim()`, which is slow for megabytes of blanks. */
function* trimming(text: string): SlicedWork<string> {
  let start = 0;
  let end = text.length;
  for (; start < end; start += SLICE_BYTES) {
    const piece = text.slice(start, start + SLICE_BYTES);
    const rest = piece.trimStart().length;
    if (rest > 0) {
      start += piece.length - rest;
      break;
    }
    yield;
  }
  for (; end > start; end -= SLICE_BYTES) {
    const from = Math.max(start, end - SLICE_BYTES);
    const rest = text.slice(from, end).trimEnd().length;
    if (rest > 0) return text.slice(start, from + rest);
    yield;
  }
  return '';
}
