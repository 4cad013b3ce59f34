/**
 * Checks encoded words (RFC 2047) in a From or Sender field. They are decoded after the field was parsed, so
 * they cannot be part of an address. Many programs decode first and then parse, so both orders must give the
 * same result.
 */
import { decodeCharset } from './part-text.ts';
import { decodeQuotedPrintable } from './transfer-decoding.ts';

/** As permissive as any program: with blanks, question marks or empty text. */
const WORD = /=\?([^?]*)\?([bq])\?(.*?)\?=/gi;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const UNREADABLE = 'has an encoded word that cannot be read: write it as =?utf-8?Q?...?=';

/** A sentence without its subject, which is the field; null without a problem. */
export function encodedWordProblem(value: string): string | null {
  if (!value.includes('=?')) return null;
  const words = [...value.matchAll(WORD)].map(([, charset = '', encoding = '', text = '']) =>
    decodedWord(charset.replace(/\*.*$/, ''), encoding.toLowerCase(), text),
  );
  const plain = value.replaceAll(WORD, '');
  if (words.includes(null) || plain.includes('=?')) return UNREADABLE;
  const decoded = words.join('');
  if (/\p{Cc}/u.test(decoded)) return 'has an encoded word with a control character in it';
  if (decoded.split('"').length % 2 === 0) return 'has an encoded quotation mark that is not closed';
  if (/[@<>]/.test(decoded) && !isHarmless(decoded, plain))
    return 'has an encoded word that can be mistaken for an address: leave @, < and > out of the name';
  // An encoded quotation mark or parenthesis would turn a name or a comment into an address.
  if (/@.*@/s.test(plain)) return 'has an encoded word beside a name with an @ in it';
  return /\([^)]*=\?/.test(value)
    ? 'has an encoded word in a comment: write the name before the address'
    : null;
}

/**
 * `Ada (ada@example.org)`, as help desks name their customers: no program looks for the sender in
 * parentheses.
 */
function isHarmless(decoded: string, plain: string): boolean {
  const outside = decoded.replaceAll(/\([^()"\\<>]*\)/g, '');
  return !/[@<>"\\]/.test(outside) && !/["()\\]/.test(plain);
}

function decodedWord(charset: string, encoding: string, text: string): string | null {
  // A word within another: programs disagree about which one counts.
  if (!isKnown(charset) || text.includes('=?')) return null;
  if (encoding === 'q') return decodeCharset(decodeQuotedPrintable(Buffer.from(text, 'latin1')), charset);
  return BASE64.test(text) ? decodeCharset(Buffer.from(text, 'base64'), charset) : null;
}

/** Other programs may decode an unknown one. For example, UTF-7 writes an @ with letters. */
function isKnown(charset: string): boolean {
  try {
    new TextDecoder(charset);
    return charset !== '';
  } catch {
    return false;
  }
}
