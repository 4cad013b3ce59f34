/**
 * Parses the header of a message strictly, field by field: fields are kept byte for byte, and checks need
 * unambiguous input.
 */
import { isUtf8 } from 'node:buffer';
import { type HeaderProblem, scanHeader } from './header-scan.ts';

export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** The whole field with its folds, without the final CRLF. */
  readonly text: string;
}

interface HeaderBlock {
  readonly ok: true;
  readonly fields: readonly HeaderField[];
  readonly bodyAt: number;
}

interface HeaderBlockProblem {
  readonly ok: false;
  /** A sentence without its subject, which is the header. */
  readonly message: string;
}

export const MAX_HEADER_BYTES = 256 * 1024;
const MAX_FIELDS = 1_000;
/** A line has at least its CRLF. One field above the limit is enough to refuse the header. */
const BOUNDS = { maxLines: MAX_HEADER_BYTES / 2, maxBytes: MAX_HEADER_BYTES, maxFields: MAX_FIELDS + 1 };

/** Every line must end with CRLF. */
export function readHeaderBlock(raw: Buffer): HeaderBlock | HeaderBlockProblem {
  const { fields, bodyAt, problems } = scanHeader(raw, 0, raw.length, BOUNDS);
  const end = fields.at(-1)?.end ?? 0;
  const lineOf = (kind: HeaderProblem['kind']) => problems.find((one) => one.kind === kind)?.line;
  if (lineOf('too_long') !== undefined || end > MAX_HEADER_BYTES)
    return problem(`is longer than ${MAX_HEADER_BYTES / 1024} KiB`);
  if (!isUtf8(raw.subarray(0, bodyAt)))
    return problem('has octets that are neither ASCII nor UTF-8; encode them as RFC 2047 says');
  const noField = lineOf('no_field');
  if (noField !== undefined) return problem(`has no field in line ${noField}; an empty line ends it`);
  const bareEnd = lineOf('line_end');
  if (bareEnd !== undefined) return problem(`has a line that does not end with CRLF: line ${bareEnd}`);
  if (fields.length > MAX_FIELDS) return problem(`has more than ${MAX_FIELDS} fields`);
  const texts = fields.map(({ name, start, end: to }) => ({ name, text: raw.toString('utf8', start, to) }));
  return { ok: true, fields: texts, bodyAt };
}

/** The text after the colon, in one line. */
export function fieldValue({ text }: HeaderField): string {
  return text
    .slice(text.indexOf(':') + 1)
    .replaceAll('\r\n', '')
    .trim();
}

function problem(message: string): HeaderBlockProblem {
  return { ok: false, message };
}
