/** The header of a message as it stands, field by field, strictly read: what is kept must be whole, and what is judged clear. */
import { isUtf8 } from 'node:buffer';

export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** All of it, folded as it was, without the CRLF that ends it. */
  readonly text: string;
}

export interface HeaderBlock {
  readonly ok: true;
  readonly fields: readonly HeaderField[];
  /** Where the body begins. */
  readonly bodyAt: number;
}

export interface HeaderBlockProblem {
  readonly ok: false;
  /** A sentence without its subject, which is the header. */
  readonly message: string;
}

export const MAX_HEADER_BYTES = 256 * 1024;
const MAX_FIELDS = 1_000;
const NAME = /^([!-9;-~]+)[ \t]*:/;
const EMPTY_LINE = Buffer.from('\r\n\r\n');

/** Every line must end with CRLF. */
export function readHeaderBlock(raw: Buffer): HeaderBlock | HeaderBlockProblem {
  const { end, bodyAt } = extentOf(raw);
  if (end > MAX_HEADER_BYTES) return problem(`is longer than ${MAX_HEADER_BYTES / 1024} KiB`);
  const head = raw.subarray(0, end);
  if (!isUtf8(head))
    return problem('has octets that are neither ASCII nor UTF-8; encode them as RFC 2047 says');
  const lines = end === 0 ? [] : head.toString('utf8').split('\r\n');
  const fields: { name: string; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const last = fields.at(-1);
    if (last !== undefined && /^[ \t]/.test(line)) {
      last.text += `\r\n${line}`;
      continue;
    }
    const name = NAME.exec(line)?.[1];
    if (name === undefined) return problem(`has no field in line ${index + 1}; an empty line ends it`);
    fields.push({ name: name.toLowerCase(), text: line });
    if (fields.length > MAX_FIELDS) return problem(`has more than ${MAX_FIELDS} fields`);
  }
  return { ok: true, fields, bodyAt };
}

/** What follows the colon, in one line. */
export function fieldValue({ text }: HeaderField): string {
  return text
    .slice(text.indexOf(':') + 1)
    .replaceAll('\r\n', '')
    .trim();
}

function extentOf(raw: Buffer): { end: number; bodyAt: number } {
  if (raw[0] === 0x0d && raw[1] === 0x0a) return { end: 0, bodyAt: 2 };
  const found = raw.indexOf(EMPTY_LINE);
  if (found >= 0) return { end: found, bodyAt: found + EMPTY_LINE.length };
  const isEnded = raw.length >= 2 && raw[raw.length - 2] === 0x0d && raw[raw.length - 1] === 0x0a;
  return { end: isEnded ? raw.length - 2 : raw.length, bodyAt: raw.length };
}

function problem(message: string): HeaderBlockProblem {
  return { ok: false, message };
}
