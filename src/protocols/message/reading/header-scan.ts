/**
 * The single parser of header fields. Reading, signature checks, delivery reports, parts and submitted mail
 * share it, so that they cannot see different fields in the same bytes.
 *
 * It is lenient and bounded: LF alone also ends a line, and lines that are not fields are skipped. Input that
 * other programs may read differently is recorded as a problem, for callers that must be certain.
 */

export interface ScannedField {
  /** In lower case. */
  readonly name: string;
  readonly start: number;
  /** Offset behind the colon. */
  readonly valueAt: number;
  /** Offset of the end without the line break; the field may be folded. */
  readonly end: number;
}

interface ScannedHeader {
  readonly fields: readonly ScannedField[];
  /** Offset of the line after the empty line, or of the end. */
  readonly bodyAt: number;
  /** Ambiguities, the first of each kind; empty for a well-formed header. */
  readonly problems: readonly HeaderProblem[];
}

export interface HeaderProblem {
  readonly kind: 'line_end' | 'no_field' | 'space_before_colon' | 'blank_fold' | 'unended' | 'too_long';
  /** Counts from 1. */
  readonly line: number;
}

export interface HeaderBounds {
  readonly maxLines: number;
  readonly maxBytes: number;
  /** The scan stops after this many fields. */
  readonly maxFields?: number;
}

export const READ_BOUNDS: HeaderBounds = { maxLines: 2_000, maxBytes: 1_048_576 };
const MAX_NAME = 100;
/** A line that begins with more blanks is treated as blank. */
const MAX_BLANKS = 1_000;
/** How far beyond the last read line the end of the header is searched. */
const MAX_SKIPPED_BYTES = 1_048_576;
const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const NAME = /^([!-9;-~]+)([ \t]*)$/;

export function scanHeader(
  bytes: Buffer,
  from: number,
  to: number,
  bounds: HeaderBounds = READ_BOUNDS,
): ScannedHeader {
  const scan = new HeaderScan(bytes);
  const last = Math.min(to, from + bounds.maxBytes);
  const { maxFields = Number.POSITIVE_INFINITY } = bounds;
  let at = from;
  let line = 1;
  for (; at < to; line += 1) {
    if (line > bounds.maxLines || at >= last) return scan.cut(line, afterEmptyLine(bytes, at, to));
    if (scan.fieldCount >= maxFields) return scan.ended(at);
    const newline = bytes.indexOf(LF, at);
    const isEnded = newline >= 0 && newline < to;
    const next = isEnded ? newline + 1 : to;
    const end = withoutLineEnd(bytes, at, next);
    if (isEnded && end !== next - 2) scan.note('line_end', line);
    if (end === at) return scan.ended(next);
    scan.take(line, at, end);
    at = next;
  }
  return scan.unended(line, to);
}

class HeaderScan {
  readonly #bytes: Buffer;
  readonly #fields: { name: string; start: number; valueAt: number; end: number }[] = [];
  /** Whether continuation lines belong to the last field; those of a skipped line are skipped too. */
  #isInField = false;
  readonly #problems = new Map<HeaderProblem['kind'], number>();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get fieldCount(): number {
    return this.#fields.length;
  }

  note(kind: HeaderProblem['kind'], line: number): void {
    if (!this.#problems.has(kind)) this.#problems.set(kind, line);
  }

  take(line: number, start: number, end: number): void {
    if (isBlank(this.#bytes[start])) this.#continue(line, start, end);
    else this.#begin(line, start, end);
  }

  ended(bodyAt: number): ScannedHeader {
    const problems = [...this.#problems].map(([kind, line]) => ({ kind, line }));
    return { fields: this.#fields, bodyAt, problems };
  }

  /** The header exceeds the limit. */
  cut(line: number, bodyAt: number): ScannedHeader {
    this.note('too_long', line);
    return this.ended(bodyAt);
  }

  /** The header has no final empty line. */
  unended(line: number, bodyAt: number): ScannedHeader {
    this.note('unended', line);
    return this.ended(bodyAt);
  }

  #continue(line: number, start: number, end: number): void {
    const last = this.#fields.at(-1);
    if (last === undefined || !this.#isInField) this.note('no_field', line);
    else last.end = end;
    if (isAllBlank(this.#bytes, start, Math.min(end, start + MAX_BLANKS))) this.note('blank_fold', line);
  }

  #begin(line: number, start: number, end: number): void {
    const colon = colonIn(this.#bytes, start, Math.min(end, start + MAX_NAME));
    const found = colon < 1 ? null : NAME.exec(this.#bytes.toString('latin1', start, start + colon));
    this.#isInField = found !== null;
    if (found === null) {
      this.note('no_field', line);
      return;
    }
    if (found[2] !== '') this.note('space_before_colon', line);
    const name = (found[1] as string).toLowerCase();
    this.#fields.push({ name, start, valueAt: start + colon + 1, end });
  }
}

/** Offset from `start` on, or -1. Most lines are short: a view of each would cost more than the search. */
function colonIn(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at += 1) if (bytes[at] === COLON) return at - start;
  return -1;
}

function withoutLineEnd(bytes: Buffer, start: number, next: number): number {
  let end = next;
  if (end > start && bytes[end - 1] === LF) end--;
  if (end > start && bytes[end - 1] === CR) end--;
  return end;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

function isAllBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!isBlank(bytes[at])) return false;
  return true;
}

/** If it is not found within the limit, the body begins where the search stops. */
function afterEmptyLine(bytes: Buffer, at: number, to: number): number {
  const limit = Math.min(to, at + MAX_SKIPPED_BYTES);
  const rest = bytes.subarray(at - 1, limit);
  const strict = rest.indexOf('\n\r\n', 0, 'latin1');
  const lax = rest.indexOf('\n\n', 0, 'latin1');
  return Math.min(strict < 0 ? limit : at + strict + 2, lax < 0 ? limit : at + lax + 1);
}
