/**
 * Text in header fields: RFC 2047 encoded words, quoted phrases, RFC 2231 parameters, and folding.
 *
 * Functions return one complete field, `Name: value`, folded with CRLF and without a final CRLF. A line has
 * at most 76 octets where the text allows it (the limit for lines with encoded words; 78 is the general one)
 * and never more than 998.
 */
import { isPrintableAscii } from './unsafe-text.ts';

export const MAX_LINE = 76;
/** With the leading space of a continuation line this stays below the hard limit of 998. */
const MAX_RAW_WORD = 990;
const WORD_OPEN_Q = '=?UTF-8?Q?';
const WORD_OPEN_B = '=?UTF-8?B?';
const WORD_CLOSE = '?=';
const WORD_OVERHEAD = WORD_OPEN_Q.length + WORD_CLOSE.length;
const MAX_ENCODED_WORD = 75;
/** With less room for a first word, the field begins on the next line. */
const MIN_FIRST_WORD = 32;

const ATOM_PHRASE = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+(?: [A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/;
/** Longer quoted names are encoded instead, because a quoted string cannot be folded safely. */
const MAX_QUOTED_PHRASE = 60;
const MAX_PLAIN_PARAMETER = 60;

/** The encoding of each octet in a Q-encoded word, also valid inside a phrase (RFC 2047, section 5). */
const Q_OCTETS = octetTable(/[A-Za-z0-9!*+\-/]/, '=').with(0x20, '_');
/** The encoding of each octet in an extended parameter: attr-char of RFC 5987 stays literal. */
const PARAMETER_OCTETS = octetTable(/[A-Za-z0-9!#$&+\-.^_`|~]/, '%');

/** Subject and custom fields. Spaces around the value have no meaning in a header and are dropped. */
export function unstructuredField(name: string, value: string): string {
  const text = trimSpaces(value);
  if (text === '') return `${name}:`;
  if (isPrintableAscii(text) && !text.includes('=?')) {
    if (name.length + 2 + text.length <= MAX_LINE) return `${name}: ${text}`;
    // A word keeps the spaces before it, so that unfolding restores the exact text.
    const words = text.match(/ *[^ ]+/g) as string[];
    if (words.every((word) => word.length <= MAX_RAW_WORD)) return fold(`${name}:`, words.map(dropOneSpace));
  }
  return fold(`${name}:`, encodedWords(text, MAX_LINE - name.length - 2));
}

/** A field of indivisible words, separated by one space or one fold. */
export function fold(start: string, words: readonly string[]): string {
  let out = start;
  let column = start.length;
  for (const word of words) {
    const width = isPrintableAscii(word) ? word.length : Buffer.byteLength(word);
    if (column + 1 + width > MAX_LINE) {
      out += `\r\n ${word}`;
      column = 1 + width;
    } else {
      out += ` ${word}`;
      column += 1 + width;
    }
  }
  return out;
}

/** A display name as foldable words: an atom phrase, a quoted string or encoded words. */
export function phraseWords(name: string, firstLineSpace: number): readonly string[] {
  if (!isPrintableAscii(name) || name.includes('=?')) return encodedWords(name, firstLineSpace);
  if (ATOM_PHRASE.test(name) && name.length <= MAX_QUOTED_PHRASE) return name.split(' ');
  const quoted = `"${name.replace(/["\\]/g, '\\$&')}"`;
  return quoted.length <= MAX_QUOTED_PHRASE ? [quoted] : encodedWords(name, firstLineSpace);
}

/**
 * `name="value"`, or the extended form for values that a quoted string cannot hold safely, split into
 * numbered pieces (`name*0*=utf-8''…`) that fit on a line. Escapes and code points are never split.
 */
export function parameterWords(name: string, value: string): readonly string[] {
  if (isPrintableAscii(value) && value.length <= MAX_PLAIN_PARAMETER && !/["\\]|=\?/.test(value)) {
    return [`${name}="${value}"`];
  }
  const room = MAX_LINE - name.length - '*000*=;'.length - 1;
  const pieces = pack(encodedCodePoints(value, PARAMETER_OCTETS), room, "utf-8''".length);
  if (pieces.length === 1) return [`${name}*=utf-8''${pieces[0]}`];
  return pieces.map((piece, i) => `${name}*${i}*=${i === 0 ? "utf-8''" : ''}${piece}`);
}

/** Q or B, whichever is shorter; each word has at most 75 characters and whole code points. */
function encodedWords(text: string, firstLineSpace: number): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  const first =
    firstLineSpace >= MIN_FIRST_WORD ? Math.min(firstLineSpace, MAX_ENCODED_WORD) : MAX_ENCODED_WORD;
  const room = MAX_ENCODED_WORD - WORD_OVERHEAD;
  const saved = MAX_ENCODED_WORD - first;
  if (encodedLength(bytes, Q_OCTETS) <= Math.ceil(bytes.length / 3) * 4) {
    return pack(encodedCodePoints(text, Q_OCTETS), room, saved).map(
      (piece) => WORD_OPEN_Q + piece + WORD_CLOSE,
    );
  }
  const bytesPerWord = (room >> 2) * 3;
  const savedBytes = Math.ceil(saved / 4) * 3;
  return chunk(bytes, bytesPerWord, savedBytes).map(
    (piece) => WORD_OPEN_B + piece.toString('base64') + WORD_CLOSE,
  );
}

function encodedLength(bytes: Buffer, octets: readonly string[]): number {
  let length = 0;
  for (const byte of bytes) length += (octets[byte] as string).length;
  return length;
}

/** One string per code point. `Buffer.from` replaces half a surrogate pair by U+FFFD. */
function encodedCodePoints(text: string, octets: readonly string[]): string[] {
  const units: string[] = [];
  for (const codePoint of text) {
    const ascii = codePoint.charCodeAt(0);
    let unit = '';
    if (ascii < 0x80) unit = octets[ascii] as string;
    else for (const byte of Buffer.from(codePoint, 'utf8')) unit += octets[byte];
    units.push(unit);
  }
  return units;
}

/** Joins whole units into pieces of at most `room` characters; the first is shorter by `firstLess`. */
function pack(units: readonly string[], room: number, firstLess: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let left = room - firstLess;
  for (const unit of units) {
    if (unit.length > left) {
      pieces.push(piece);
      piece = '';
      left = room;
    }
    piece += unit;
    left -= unit.length;
  }
  pieces.push(piece);
  return pieces;
}

/** Splits UTF-8 before a lead byte, never inside a code point. */
function chunk(bytes: Buffer, size: number, firstLess: number): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  let end = size - firstLess;
  while (start < bytes.length) {
    let cut = Math.min(end, bytes.length);
    while (cut < bytes.length && ((bytes[cut] as number) & 0xc0) === 0x80) cut -= 1;
    chunks.push(bytes.subarray(start, cut));
    start = cut;
    end = start + size;
  }
  return chunks;
}

/** Not a regular expression: `/ +$/` is quadratic on a long run of spaces in the middle. */
function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function dropOneSpace(word: string): string {
  return word.startsWith(' ') ? word.slice(1) : word;
}

function octetTable(literal: RegExp, escapeSign: string): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const char = String.fromCharCode(byte);
    return literal.test(char) ? char : escapeSign + byte.toString(16).toUpperCase().padStart(2, '0');
  });
}
