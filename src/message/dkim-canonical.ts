/**
 * The relaxed canonical forms of RFC 6376 (sections 3.4.2 and 3.4.4): what a relay may do to white space on the
 * way without breaking a signature. Only SP and HTAB are white space, and only CRLF ends a line.
 */

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

/** Most bodies are canonical as they are: then this is a part of the very same memory, and nothing is copied. */
export function canonicalBody(body: Buffer): Buffer {
  const end = contentEnd(body);
  if (end === 0) return EMPTY;
  const change = firstChange(body, end);
  if (change === end && body[end] === CR && body[end + 1] === LF) return body.subarray(0, end + 2);
  const out = Buffer.allocUnsafe(end + 2);
  out.set(body.subarray(0, change));
  let length = writeSqueezed(body, change, end, out);
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

/** The first octet that does not stay as it is, or `end`. The octet before `end` is never white space. */
function firstChange(body: Buffer, end: number): number {
  for (let i = 0; i < end; i += 1) {
    const octet = body[i] as number;
    if (octet > SPACE || !isBlank(octet)) continue;
    const next = body[i + 1] as number;
    if (octet === TAB || isBlank(next) || (next === CR && body[i + 2] === LF)) return i;
  }
  return end;
}

/** Runs of white space become one space, and nothing at the end of a line. Returns the length of `out`. */
function writeSqueezed(body: Buffer, start: number, end: number, out: Buffer): number {
  let length = start;
  let blank = false;
  for (let i = start; i < end; i += 1) {
    const octet = body[i] as number;
    if (octet <= SPACE) {
      if (isBlank(octet)) {
        blank = true;
        continue;
      }
      if (octet === CR && body[i + 1] === LF) blank = false;
    }
    if (blank) {
      out[length++] = SPACE;
      blank = false;
    }
    out[length++] = octet;
  }
  return length;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}
