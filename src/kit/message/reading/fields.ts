/**
 * Header fields and the blocks of a delivery status, which have the same form: `Name: value` lines, folded, up to
 * an empty line. Lenient (LF alone ends a line too, lines that are no field are skipped) and bounded.
 */
import { isUtf8 } from 'node:buffer';

/** Lower-case names; of a repeated field, the first. */
export type Fields = ReadonlyMap<string, string>;

export interface FieldBlock {
  readonly fields: Fields;
  /** Where the line after the empty line starts, or where the bytes end. */
  readonly next: number;
}

const MAX_LINES = 2_000;
const MAX_FIELDS = 300;
const MAX_NAME = 100;
/** Long enough for any reply a server gives; what is longer is cut. */
const MAX_VALUE = 4_000;
const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;

export function readFields(
  bytes: Buffer,
  from: number,
  to: number,
  maxLines: number = MAX_LINES,
): FieldBlock {
  const fields = new Map<string, string>();
  let name: string | null = null;
  let at = from;
  for (let lines = 0; at < to; lines++) {
    if (lines === maxLines) return { fields, next: afterEmptyLine(bytes, at, to) };
    const newline = bytes.indexOf(LF, at);
    const next = newline < 0 || newline >= to ? to : newline + 1;
    const end = withoutLineEnd(bytes, at, next);
    if (end === at) return { fields, next };
    if (isBlank(bytes[at])) {
      if (name !== null) appendTo(fields, name, textOf(bytes, at, end));
    } else {
      name = startField(fields, bytes, at, end);
    }
    at = next;
  }
  return { fields, next: to };
}

/** Valid UTF-8 as such, anything else byte by byte, so that nothing is lost. */
export function bytesToText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** The name, or null for a line that is no field or one that is not kept, whose continuations are skipped too. */
function startField(fields: Map<string, string>, bytes: Buffer, at: number, end: number): string | null {
  const colon = bytes.subarray(at, Math.min(end, at + MAX_NAME)).indexOf(COLON);
  if (colon < 1) return null;
  const name = bytes
    .toString('latin1', at, at + colon)
    .trim()
    .toLowerCase();
  if (name === '' || name.includes(' ') || fields.has(name) || fields.size === MAX_FIELDS) return null;
  fields.set(name, textOf(bytes, at + colon + 1, end));
  return name;
}

function appendTo(fields: Map<string, string>, name: string, more: string): void {
  const value = fields.get(name) ?? '';
  if (more === '' || value.length >= MAX_VALUE) return;
  fields.set(name, value === '' ? more : `${value} ${more}`.slice(0, MAX_VALUE));
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytesToText(bytes.subarray(start, Math.min(end, start + MAX_VALUE))).trim();
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

function afterEmptyLine(bytes: Buffer, at: number, to: number): number {
  const rest = bytes.subarray(at - 1, to);
  const strict = rest.indexOf('\n\r\n', 0, 'latin1');
  const lax = rest.indexOf('\n\n', 0, 'latin1');
  return Math.min(strict < 0 ? to : at + strict + 2, lax < 0 ? to : at + lax + 1);
}
