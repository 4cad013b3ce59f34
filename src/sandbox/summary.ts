/** The list view of a message, read from its headers once on arrival. */
import { addressParser, decodeWords } from 'postal-mime';
import { c1AsWindows1252 } from '../protocols/message/reading/charset.ts';

export interface Summary {
  readonly fromEmail: string;
  readonly fromName: string | null;
  readonly subject: string;
}

/** Longer headers do not come from mail that we composed; the rest is ignored. */
const MAX_HEADER_BYTES = 256 * 1024;
const EMPTY_LINE = Buffer.from('\r\n');
const MAX_TEXT_CHARS = 1_000;

export function summarize(raw: Buffer): Summary {
  const header = headerOf(raw);
  const sender = addressParser(field(header, FROM), { flatten: true })[0];
  const name = clean(sender?.name ?? '');
  return {
    fromEmail: clean(sender?.address ?? ''),
    fromName: name === '' ? null : name,
    subject: clean(decodeWords(field(header, SUBJECT))),
  };
}

function headerOf(raw: Buffer): string {
  if (raw.subarray(0, 2).equals(EMPTY_LINE)) return '';
  const end = raw.subarray(0, MAX_HEADER_BYTES).indexOf('\r\n\r\n');
  return raw.toString('utf8', 0, end === -1 ? Math.min(raw.length, MAX_HEADER_BYTES) : end);
}

const FROM = /^from:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/im;
const SUBJECT = /^subject:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/im;

function field(header: string, pattern: RegExp): string {
  return (pattern.exec(header)?.[1] ?? '').replace(/\r\n(?=[ \t])/g, '');
}

/** An encoded word can contain any character, including the NUL that PostgreSQL refuses in text. */
function clean(text: string): string {
  return c1AsWindows1252(text)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_CHARS);
}
