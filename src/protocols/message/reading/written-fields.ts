/** Every field of a header for display: in order and as written, but in one line. */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { bytesToText } from './fields.ts';
import type { ScannedField } from './header-scan.ts';

export interface WrittenField {
  /** The original spelling. */
  readonly name: string;
  /** With its encoded words. */
  readonly value: string;
}

/** Submitted headers are shorter; longer values are truncated. */
const MAX_VALUE_BYTES = 128 * 1024;
/** All fields together; the rest is omitted. */
const MAX_BYTES = 512 * 1024;

export function* readingWrittenFields(
  bytes: Buffer,
  scanned: readonly ScannedField[],
): SlicedWork<WrittenField[]> {
  const fields: WrittenField[] = [];
  let left = MAX_BYTES;
  for (const { name, start, valueAt, end } of scanned) {
    const value = bytes.subarray(valueAt, endOfValue(bytes, valueAt, end));
    left -= name.length + value.length;
    if (left < 0) break;
    fields.push({ name: bytes.toString('latin1', start, start + name.length), value: inOneLine(value) });
    yield;
  }
  return fields;
}

/** Never within a character of UTF-8. */
function endOfValue(bytes: Buffer, from: number, end: number): number {
  let last = Math.min(end, from + MAX_VALUE_BYTES);
  while (last < end && last > from && ((bytes[last] as number) & 0xc0) === 0x80) last -= 1;
  return last;
}

/** Unfolded as RFC 5322 says: line ends are removed, blanks stay. */
function inOneLine(value: Buffer): string {
  const line = bytesToText(value).replace(/\r?\n/g, '').replaceAll('\r', ' ');
  let start = 0;
  let end = line.length;
  while (isBlank(line[start])) start += 1;
  while (end > start && isBlank(line[end - 1])) end -= 1;
  return line.slice(start, end);
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}
