/** RFC 2047 words in a short header value, such as a subject. */
import { decodeCharset } from './part-text.ts';
import { decodeQuotedPrintable } from './transfer-decoding.ts';

const MAX_HEADER = 1_000;

/** Text without either is printable ASCII without encoded words: nothing to decode, and normal as it is. */
const NOT_PLAIN = /[^\t -~]|=\?/;

export function decodeHeaderText(value: string, maxChars = MAX_HEADER): string {
  const text = value.slice(0, maxChars);
  return NOT_PLAIN.test(text) ? decodeWords(text).normalize('NFC') : text;
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=[ \t]{1,8}=\?/g, '?==?')
    .replace(
      /=\?([A-Za-z0-9_-]{1,40})(?:\*[A-Za-z0-9-]{1,20})?\?([BbQq])\?([^?\s]{0,400})\?=/g,
      (_word, charset: string, encoding: string, words: string) => decodeWord(charset, encoding, words),
    );
}

function decodeWord(charset: string, encoding: string, text: string): string {
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : decodeQuotedPrintable(Buffer.from(text.replaceAll('_', ' '), 'latin1'));
  return decodeCharset(bytes, charset);
}
