/**
 * The values of header fields and of the blocks of a delivery status, which have the same form. Of a repeated
 * field the first counts; long values are truncated.
 */
import { isUtf8 } from 'node:buffer';
import { type HeaderProblem, READ_BOUNDS, type ScannedField, scanHeader } from './header-scan.ts';

/** Lower-case names; of a repeated field, the first. */
export type Fields = ReadonlyMap<string, string>;

export interface FieldBlock {
  readonly fields: Fields;
  /** Offset of the line after the empty line, or of the end. */
  readonly next: number;
  readonly problems: readonly HeaderProblem[];
  /** Every field, including repeated ones. */
  readonly scanned: readonly ScannedField[];
}

const LF = 0x0a;
const MAX_FIELDS = 300;
/** Long enough for any server's reply; longer values are truncated. */
export const MAX_VALUE = 4_000;

export function readFields(
  bytes: Buffer,
  from: number,
  to: number,
  maxLines: number = READ_BOUNDS.maxLines,
): FieldBlock {
  const { fields: scanned, bodyAt, problems } = scanHeader(bytes, from, to, { ...READ_BOUNDS, maxLines });
  const fields = new Map<string, string>();
  for (const field of scanned) {
    if (fields.size === MAX_FIELDS) break;
    if (!fields.has(field.name)) fields.set(field.name, unfolded(bytes, field));
  }
  return { fields, next: bodyAt, problems, scanned };
}

/** Decodes valid UTF-8, and other bytes as Latin-1, so that nothing is lost. */
export function bytesToText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/**
 * Unfolds with one space per fold. Only RFC 5322 white space is dropped, because other programs keep the
 * rest.
 */
function unfolded(bytes: Buffer, { valueAt, end }: ScannedField): string {
  let value = '';
  for (let at = valueAt; at < end && value.length < MAX_VALUE; ) {
    const newline = bytes.subarray(at, end).indexOf(LF);
    const next = newline < 0 ? end : at + newline + 1;
    const line = trimmedText(bytes, at, Math.min(next, at + MAX_VALUE));
    if (line !== '') value = value === '' ? line : `${value} ${line}`.slice(0, MAX_VALUE);
    at = next;
  }
  return value;
}

function trimmedText(bytes: Buffer, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytesToText(bytes.subarray(start, end));
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === LF;
}
