/** Decodes RFC 2047 words in a short header value, such as a subject. */
import { decodeCharset } from './part-text.ts';
import { decodeQuotedPrintable } from './transfer-decoding.ts';

const MAX_HEADER = 1_000;

/** Text without a match is printable ASCII without encoded words, and needs no decoding. */
const NOT_PLAIN = /[^\t -~]|=\?/;

export function decodeHeaderText(value: string, maxChars = MAX_HEADER): string {
  const text = value.slice(0, maxChars);
  return NOT_PLAIN.test(text) ? decodeWords(text).normalize('NFC') : text;
}

/** RFC 2047 forbids blanks in a word and limits it to 75 characters; some programs violate both. */
const WORD = /=\?([A-Za-z0-9_-]{1,40})(?:\*[A-Za-z0-9-]{1,20})?\?([BbQq])\?([^?]*)\?=/g;
const BETWEEN_WORDS = /^[ \t]{0,8}$/;

interface Words {
  readonly charset: string;
  readonly bytes: Buffer[];
}

/** Adjacent words are decoded together, because some programs split a character between them. */
function decodeWords(text: string): string {
  let decoded = '';
  let words: Words | null = null;
  let at = 0;
  for (const { 0: all, 1: charset = '', 2: encoding = '', 3: encoded = '', index } of text.matchAll(WORD)) {
    const between = text.slice(at, index);
    const follows = words !== null && BETWEEN_WORDS.test(between);
    if (!follows || words?.charset !== charset.toLowerCase()) {
      decoded += decodeBytes(words) + (follows ? '' : between);
      words = { charset: charset.toLowerCase(), bytes: [] };
    }
    words.bytes.push(bytesOf(encoding, encoded));
    at = index + all.length;
  }
  return decoded + decodeBytes(words) + text.slice(at);
}

function bytesOf(encoding: string, encoded: string): Buffer {
  return encoding.toLowerCase() === 'b'
    ? Buffer.from(encoded, 'base64')
    : decodeQuotedPrintable(Buffer.from(encoded.replaceAll('_', ' '), 'latin1'));
}

function decodeBytes(words: Words | null): string {
  return words === null ? '' : decodeCharset(Buffer.concat(words.bytes), words.charset);
}
