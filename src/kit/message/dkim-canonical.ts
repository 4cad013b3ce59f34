/**
 * The relaxed canonical forms of RFC 6376 (sections 3.4.2 and 3.4.4): what a relay may do to white space on the
 * way without breaking a signature. Only SP and HTAB are white space, and only CRLF ends a line.
 */
import { endianness } from 'node:os';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const EMPTY = Buffer.alloc(0);

/** `name:value` of one complete field, unfolded, without the CRLF that ends it. */
export function canonicalField(field: string): string {
  const colon = field.indexOf(':');
  const name = trimBlanks(field, 0, colon).toLowerCase();
  const value = singleSpaced(field.includes('\r\n') ? field.replaceAll('\r\n', '') : field, colon + 1);
  return `${name}:${value}`;
}

/**
 * A body that is canonical as it is comes back as a part of the very same memory, and nothing is copied. Otherwise
 * the result lies in `workspace`, where the caller has one that is two octets longer than the body.
 */
export function canonicalBody(body: Buffer, workspace?: Buffer): Buffer {
  const end = contentEnd(body);
  if (end === 0) return EMPTY;
  const runs = changingRuns(body, end);
  if (runs.length === 0 && body[end] === CR && body[end + 1] === LF) return body.subarray(0, end + 2);
  const out = workspace ?? Buffer.allocUnsafe(end + 2);
  let length = 0;
  let copied = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const next = runs[i + 1] as number;
    length = copy(body, copied, runs[i] as number, out, length);
    if (!isLineEnd(body, next)) out[length++] = SPACE;
    copied = next;
  }
  length = copy(body, copied, end, out, length);
  out[length++] = CR;
  out[length++] = LF;
  return out.subarray(0, length);
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

/** Where the last line that is not empty ends, white space at its end not counted. */
function contentEnd(body: Buffer): number {
  let end = body.length;
  for (;;) {
    while (end > 0 && isBlank(body[end - 1] as number)) end -= 1;
    if (end < 2 || body[end - 1] !== LF || body[end - 2] !== CR) return end;
    end -= 2;
  }
}

/**
 * Where the runs of white space begin and end that do not stay as they are, one after the other. Four octets are
 * looked at together: only two neighbours not above the space, or a tab, can mean such a run, and most text has
 * neither. That is twice as fast as octet by octet, and six times where there is no white space at all.
 */
function changingRuns(body: Buffer, end: number): number[] {
  const runs: number[] = [];
  if (end < 2 * WORD || !LITTLE_ENDIAN) {
    findRuns(body, 0, end, runs);
    return runs;
  }
  const lead = -body.byteOffset & (WORD - 1);
  const words = new Int32Array(body.buffer, body.byteOffset + lead, (end - lead) >> 2);
  let seen = findRuns(body, 0, lead, runs);
  let lastOfBefore = 0x80;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as number;
    const low = (word - EACH_ABOVE_SPACE) & ~word & EACH_HIGH_BIT;
    const before = lastOfBefore;
    lastOfBefore = low >>> 24;
    if (low === 0 || ((low & ((low << 8) | before)) === 0 && !hasTab(word))) continue;
    const start = lead + i * WORD;
    seen = findRuns(body, Math.max(start - 1, seen), start + WORD, runs);
  }
  findRuns(body, Math.max(lead + words.length * WORD - 1, seen), end, runs);
  return runs;
}

const WORD = 4;
/** Which end of a word comes first in memory; the other kind of machine goes octet by octet. */
const LITTLE_ENDIAN = endianness() === 'LE';
/** `(word - this) & ~word` has the high bit set in each octet that is a space or below (and rarely in one more). */
const EACH_ABOVE_SPACE = 0x21212121;
const EACH_HIGH_BIT = 0x80808080;
const EACH_TAB = 0x09090909;
const EACH_ONE = 0x01010101;

function hasTab(word: number): boolean {
  const different = word ^ EACH_TAB;
  return ((different - EACH_ONE) & ~different & EACH_HIGH_BIT) !== 0;
}

/** Octet by octet; returns where to go on, which is past the end when a run goes on there. */
function findRuns(body: Buffer, start: number, end: number, runs: number[]): number {
  let i = start;
  while (i < end) {
    const octet = body[i] as number;
    const begin = i++;
    if (!isBlank(octet)) continue;
    while (isBlank(body[i] as number)) i += 1;
    if (octet === TAB || i - begin > 1 || isLineEnd(body, i)) runs.push(begin, i);
  }
  return i;
}

function isLineEnd(body: Buffer, i: number): boolean {
  return body[i] === CR && body[i + 1] === LF;
}

/** Up to here a loop beats the call: a body full of double spaces would make one every few octets. */
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
