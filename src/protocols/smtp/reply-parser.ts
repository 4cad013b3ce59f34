/**
 * Parses bytes from the server into replies, regardless of chunk boundaries.
 *
 * Owns the unfinished line, the lines of the unfinished reply, and finished replies not yet taken. States:
 * reading → garbage (final). Replies finished before the garbage can still be taken.
 */
import type { SmtpReply } from './facts.ts';

/** A reply with its separate lines, which only EHLO needs. */
export interface ParsedReply extends SmtpReply {
  readonly lines: readonly string[];
}

const MAX_REPLY_LINE_BYTES = 4096;
const MAX_REPLY_BYTES = 64 * 1024;
export const MAX_REPLY_LINES = 200;
export const MAX_REPLY_TEXT_CHARS = 1000;
/** Far more than pipelining needs. Replies could accumulate while the server does not read. */
export const MAX_UNTAKEN_REPLIES = 50;

const TOO_MANY = `${MAX_UNTAKEN_REPLIES} replies at once, which nobody asked for`;

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

export class ReplyParser {
  #partial: Buffer | null = null;
  #lines: string[] = [];
  #replyBytes = 0;
  readonly #ready: ParsedReply[] = [];
  #garbage: string | null = null;

  /** Why the bytes are invalid, or null while they are valid. */
  get garbage(): string | null {
    return this.#garbage;
  }

  /** True when received data has not been taken. */
  get hasUntaken(): boolean {
    return this.#ready.length > 0 || this.#partial !== null || this.#lines.length > 0;
  }

  take(): ParsedReply | null {
    return this.#ready.shift() ?? null;
  }

  push(chunk: Buffer): void {
    if (this.#garbage !== null) return;
    const bytes = this.#partial === null ? chunk : Buffer.concat([this.#partial, chunk]);
    this.#partial = null;
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(LF, start);
      if (end === -1) break;
      this.#line(bytes, start, end);
      if (this.#garbage !== null) return;
      start = end + 1;
    }
    if (start < bytes.length) this.#keepPartial(bytes, start);
  }

  #keepPartial(bytes: Buffer, start: number): void {
    if (bytes.length - start > MAX_REPLY_LINE_BYTES) {
      this.#garbage = `a reply line is longer than ${MAX_REPLY_LINE_BYTES} bytes`;
      return;
    }
    this.#partial = bytes.subarray(start);
  }

  #line(bytes: Buffer, start: number, lineFeed: number): void {
    const end = lineFeed > start && bytes[lineFeed - 1] === CR ? lineFeed - 1 : lineFeed;
    const code = readCode(bytes, start, end);
    const separator = end === start + 3 ? SPACE : bytes[start + 3];
    if (code === 0 || (separator !== SPACE && separator !== HYPHEN)) {
      this.#garbage = `not an SMTP reply: ${quote(bytes.subarray(start, Math.min(end, start + 60)))}`;
      return;
    }
    this.#replyBytes += lineFeed + 1 - start;
    this.#lines.push(decode(bytes, Math.min(start + 4, end), end));
    this.#garbage = this.#overBounds(lineFeed - start);
    if (separator === SPACE && this.#garbage === null) this.#finish(code);
  }

  #overBounds(lineBytes: number): string | null {
    if (lineBytes > MAX_REPLY_LINE_BYTES) return `a reply line is longer than ${MAX_REPLY_LINE_BYTES} bytes`;
    if (this.#replyBytes > MAX_REPLY_BYTES) return `a reply is longer than ${MAX_REPLY_BYTES} bytes`;
    if (this.#lines.length > MAX_REPLY_LINES) return `a reply has more than ${MAX_REPLY_LINES} lines`;
    return null;
  }

  /** The code of the last line counts, because a few servers send different codes in one reply. */
  #finish(code: number): void {
    const lines = this.#lines;
    const enhanced = enhancedCode(lines[0] ?? '');
    this.#ready.push({ code, enhanced, text: joinLines(lines, enhanced), lines });
    this.#lines = [];
    this.#replyBytes = 0;
    if (this.#ready.length >= MAX_UNTAKEN_REPLIES) this.#garbage = TOO_MANY;
  }
}

/** Replaces characters that could move a cursor, split a log line or hide text. */
export function makeSafe(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?');
}

/** 0 unless the line starts with a code between 200 and 599. */
function readCode(bytes: Buffer, start: number, end: number): number {
  if (end - start < 3) return 0;
  const first = (bytes[start] ?? 0) - ZERO;
  const second = (bytes[start + 1] ?? 0) - ZERO;
  const third = (bytes[start + 2] ?? 0) - ZERO;
  if (first < 2 || first > 5 || second < 0 || second > 9 || third < 0 || third > 9) return 0;
  return first * 100 + second * 10 + third;
}

function decode(bytes: Buffer, start: number, end: number): string {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < SPACE || byte > 0x7e) return makeSafe(bytes.toString('utf8', start, end));
  }
  return bytes.toString('latin1', start, end);
}

/** Parses 'd.ddd.ddd' at the start of a line by hand, because this runs for every reply. */
function enhancedCode(line: string): string | null {
  const first = line.charCodeAt(0) - ZERO;
  if ((first !== 2 && first !== 4 && first !== 5) || line.charCodeAt(1) !== DOT) return null;
  const subjectEnd = skipDigits(line, 2);
  if (subjectEnd === -1 || line.charCodeAt(subjectEnd) !== DOT) return null;
  const detailEnd = skipDigits(line, subjectEnd + 1);
  if (detailEnd === -1) return null;
  if (detailEnd < line.length && line.charCodeAt(detailEnd) !== SPACE) return null;
  return line.slice(0, detailEnd);
}

/** Index after one to three digits, or -1. */
function skipDigits(line: string, from: number): number {
  let i = from;
  while (i < from + 3 && line.charCodeAt(i) >= ZERO && line.charCodeAt(i) <= ZERO + 9) i++;
  return i === from ? -1 : i;
}

/** Removes repeated enhanced codes from continuation lines, so that sentences stay readable. */
function joinLines(lines: readonly string[], enhanced: string | null): string {
  let text = (lines[0] ?? '').trim();
  for (let i = 1; i < lines.length && text.length < MAX_REPLY_TEXT_CHARS; i++) {
    const line = lines[i] ?? '';
    const rest = enhanced !== null && line.startsWith(enhanced) ? line.slice(enhanced.length) : line;
    text += ` ${rest.trim()}`;
  }
  return text.length > MAX_REPLY_TEXT_CHARS ? `${text.slice(0, MAX_REPLY_TEXT_CHARS)}…` : text;
}

function quote(bytes: Buffer): string {
  return JSON.stringify(makeSafe(bytes.toString('latin1')));
}
