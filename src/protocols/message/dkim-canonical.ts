/**
 * The relaxed canonical forms of RFC 6376 (sections 3.4.2 and 3.4.4), which tolerate relays' changes of white
 * space. Only SP and HTAB are white space, and only CRLF ends a line.
 */
import { endianness } from 'node:os';
import { atOnce, type SlicedWork } from '../../runtime/sliced-work.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const EMPTY = Buffer.alloc(0);
const STEP_OCTETS = 64 * 1024;

/** `name:value` of one complete field, unfolded, without the CRLF that ends it. */
export function canonicalField(field: string): string {
  const colon = field.indexOf(':');
  const name = trimBlanks(field, 0, colon).toLowerCase();
  const value = singleSpaced(field.includes('\r\n') ? field.replaceAll('\r\n', '') : field, colon + 1);
  return `${name}:${value}`;
}

/**
 * A body that is already canonical is returned as a view of the same memory, without a copy. Otherwise the
 * result is in `workspace`, which must be two octets longer than the body.
 */
export function canonicalBody(body: Buffer, workspace?: Buffer): Buffer {
  return atOnce(canonicalizingBody(body, workspace));
}

/** The same for bodies of any size. */
export function* canonicalizingBody(body: Buffer, workspace?: Buffer): SlicedWork<Buffer> {
  const end = yield* contentEnd(body);
  if (end === 0) return EMPTY;
  let out: Buffer | null = null;
  const copied = { from: 0, to: 0 };
  for (let at = 0; at < end; ) {
    if (at > 0) yield;
    const runs: number[] = [];
    const until = Math.min(at + STEP_OCTETS, end);
    at = changingRuns(body, at, until, runs);
    if (at < until) at = yield* endOfRun(body, at, until, end, runs);
    if (runs.length === 0) continue;
    out ??= workspace ?? Buffer.allocUnsafe(end + 2);
    copyWithoutRuns(body, runs, out, copied);
  }
  if (out === null && isLineEnd(body, end)) return body.subarray(0, end + 2);
  out ??= workspace ?? Buffer.allocUnsafe(end + 2);
  let length = copy(body, copied.from, end, out, copied.to);
  out[length++] = CR;
  out[length++] = LF;
  return out.subarray(0, length);
}

/** Copies up to the last run. A run at the end of a line is dropped, any other becomes one space. */
function copyWithoutRuns(
  body: Buffer,
  runs: readonly number[],
  out: Buffer,
  copied: { from: number; to: number },
): void {
  let { from, to } = copied;
  for (let i = 0; i < runs.length; i += 2) {
    const next = runs[i + 1] as number;
    to = copy(body, from, runs[i] as number, out, to);
    if (!isLineEnd(body, next)) out[to++] = SPACE;
    from = next;
  }
  copied.from = from;
  copied.to = to;
}

function singleSpaced(text: string, from: number): string {
  const value = trimBlanks(text, from, text.length);
  return value.includes('  ') || value.includes('\t') ? value.replace(/[ \t]+/g, ' ') : value;
}

function trimBlanks(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The end of the last line that is not empty; trailing white space does not count. */
function* contentEnd(body: Buffer): SlicedWork<number> {
  let end = body.length;
  for (let pauseAt = end - STEP_OCTETS; ; ) {
    if (end > 0 && isBlank(body[end - 1] as number)) end -= 1;
    else if (end > 1 && body[end - 1] === LF && body[end - 2] === CR) end -= 2;
    else return end;
    if (end > pauseAt) continue;
    pauseAt = end - STEP_OCTETS;
    yield;
  }
}

/**
 * Finds the starts and ends of white-space runs that must change. Four octets are tested together: only two
 * adjacent octets not above the space, or a tab, can form such a run, and most text has neither. This is
 * twice as fast as a test per octet, and six times without white space.
 *
 * Returns where to continue: at `end`, or at the beginning of a run that extends beyond it.
 */
function changingRuns(body: Buffer, start: number, end: number, runs: number[]): number {
  if (end - start < 2 * WORD || !LITTLE_ENDIAN) return findRuns(body, start, end, end, runs);
  const lead = start + (-(body.byteOffset + start) & (WORD - 1));
  const words = new Int32Array(body.buffer, body.byteOffset + lead, (end - lead) >> 2);
  let seen = findRuns(body, start, lead, end, runs);
  if (seen < lead) return seen;
  let lastOfBefore = 0x80;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as number;
    const low = (word - EACH_ABOVE_SPACE) & ~word & EACH_HIGH_BIT;
    const before = lastOfBefore;
    lastOfBefore = low >>> 24;
    if (low === 0 || ((low & ((low << 8) | before)) === 0 && !hasTab(word))) continue;
    const at = lead + i * WORD;
    seen = findRuns(body, Math.max(at - 1, seen), at + WORD, end, runs);
    if (seen < at + WORD) return seen;
  }
  return findRuns(body, Math.max(lead + words.length * WORD - 1, seen), end, end, runs);
}

const WORD = 4;
/** Byte order; big-endian machines test octet by octet. */
const LITTLE_ENDIAN = endianness() === 'LE';
/**
 * `(word - this) & ~word` has the high bit set in each octet that is at most a space (and rarely in one
 * more).
 */
const EACH_ABOVE_SPACE = 0x21212121;
const EACH_HIGH_BIT = 0x80808080;
const EACH_TAB = 0x09090909;
const EACH_ONE = 0x01010101;

function hasTab(word: number): boolean {
  const different = word ^ EACH_TAB;
  return ((different - EACH_ONE) & ~different & EACH_HIGH_BIT) !== 0;
}

/**
 * Tests runs octet by octet that begin before `end`. Returns where to continue: beyond the end if a run
 * extends there, or at the run's beginning if it extends to `stop`.
 */
function findRuns(body: Buffer, start: number, end: number, stop: number, runs: number[]): number {
  let i = start;
  while (i < end) {
    const octet = body[i] as number;
    const begin = i++;
    if (!isBlank(octet)) continue;
    while (i < stop && isBlank(body[i] as number)) i += 1;
    if (i === stop) return begin;
    if (octet === TAB || i - begin > 1 || isLineEnd(body, i)) runs.push(begin, i);
  }
  return i;
}

/** The end of a run that extends beyond a step. Content never ends with a run. */
function* endOfRun(
  body: Buffer,
  begin: number,
  from: number,
  end: number,
  runs: number[],
): SlicedWork<number> {
  let i = from;
  for (let pauseAt = from + STEP_OCTETS; i < end && isBlank(body[i] as number); i += 1) {
    if (i < pauseAt) continue;
    pauseAt = i + STEP_OCTETS;
    yield;
  }
  if (body[begin] === TAB || i - begin > 1 || isLineEnd(body, i)) runs.push(begin, i);
  return i;
}

function isLineEnd(body: Buffer, i: number): boolean {
  return body[i] === CR && body[i + 1] === LF;
}

/**
 * Up to this length a loop is faster than the call: a body full of double spaces would need a call every few
 * octets.
 */
const SHORT_COPY = 128;

function copy(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  let length = at;
  if (end - start > SHORT_COPY) {
    to.set(from.subarray(start, end), length);
    return length + end - start;
  }
  for (let i = start; i < end; i += 1) to[length++] = from[i] as number;
  return length;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}
