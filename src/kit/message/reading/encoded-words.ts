/** RFC 2047 words in a short header value, such as a subject. */
import { decodeCharset, decodeQuotedPrintable } from './part-text.ts';

const MAX_HEADER = 1_000;

export function decodeHeaderText(value: string): string {
  return value
    .slice(0, MAX_HEADER)
    .replace(/\?=[ \t]{1,8}=\?/g, '?==?')
    .replace(
      /=\?([A-Za-z0-9_-]{1,40})(?:\*[A-Za-z0-9-]{1,20})?\?([BbQq])\?([^?\s]{0,400})\?=/g,
      (_word, charset: string, encoding: string, text: string) => decodeWord(charset, encoding, text),
    )
    .normalize('NFC');
}

function decodeWord(charset: string, encoding: string, text: string): string {
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : decodeQuotedPrintable(Buffer.from(text.replaceAll('_', ' '), 'latin1'));
  return decodeCharset(bytes, charset);
}
