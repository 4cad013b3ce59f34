/**
 * Spellings of a text, so that a search finds a name however it is written: Müller as `mueller` or `muller`, Łukasz as
 * `lukasz`, Straße as `strasse`. A search matches if any spelling of the word occurs in any spelling of the text.
 *
 * SQL and JavaScript derive the same spellings: the search index is built in JavaScript, and PostgreSQL compares the texts.
 */
import { likeText } from './sql.ts';

/** Letters that Unicode does not take apart, in the plain and in the long spelling. */
const LETTERS: readonly (readonly [letter: string, plain: string, long: string])[] = [
  ['ß', 'ss', 'ss'],
  ['ẞ', 'SS', 'SS'],
  ['æ', 'ae', 'ae'],
  ['Æ', 'AE', 'AE'],
  ['œ', 'oe', 'oe'],
  ['Œ', 'OE', 'OE'],
  ['ø', 'o', 'oe'],
  ['Ø', 'O', 'OE'],
  ['þ', 'th', 'th'],
  ['Þ', 'TH', 'TH'],
  ['ł', 'l', 'l'],
  ['Ł', 'L', 'L'],
  ['đ', 'd', 'd'],
  ['Đ', 'D', 'D'],
  ['ð', 'd', 'd'],
  ['Ð', 'D', 'D'],
  ['ı', 'i', 'i'],
];

const DIAERESIS = '\u0308';
const RING = '\u030a';
/** Combining marks, as a range for regular expressions of both languages. */
const MARKS = '[\\u0300-\\u036f]';

const PLAIN = new Map(LETTERS.map(([letter, plain]) => [letter, plain]));
const LONG = new Map(LETTERS.map(([letter, , long]) => [letter, long]));
const ANY_LETTER = new RegExp(`[${LETTERS.map(([letter]) => letter).join('')}]`, 'gu');
const ALL_MARKS = new RegExp(MARKS, 'gu');
const UMLAUT = new RegExp(`([aou])${DIAERESIS}`, 'giu');
const RINGED_A = new RegExp(`(a)${RING}`, 'giu');

/** Distinct, the text itself first. A text in ASCII has no other spelling. */
export function spellingsOf(text: string): readonly string[] {
  if (isAscii(text)) return [text];
  const apart = text.normalize('NFD');
  const long = apart.replace(UMLAUT, '$1e').replace(RINGED_A, '$1a');
  return [...new Set([text, spelled(apart, PLAIN), spelled(long, LONG)])];
}

function spelled(apart: string, letters: ReadonlyMap<string, string>): string {
  const marked = apart.replace(ANY_LETTER, (letter) => letters.get(letter) ?? letter);
  return marked.replace(ALL_MARKS, '').normalize('NFC');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** Whether any spelling of the word occurs in any spelling of the text. The same rule as `hasSpelling`. */
export function occursIn(text: string, word: string): boolean {
  const texts = spellingsOf(text).map((spelling) => spelling.toLowerCase());
  return spellingsOf(word).some((spelling) => texts.some((one) => one.includes(spelling.toLowerCase())));
}

/** Patterns for `hasSpelling`: any part of a text, in every spelling of the wanted word. */
export function patternsFor(word: string): string[] {
  return spellingsOf(word).map((spelling) => `%${likeText(spelling)}%`);
}

/** SQL: any spelling of the text matches one of the patterns, an array. A text of one byte per character has no other. */
export function hasSpelling(text: string, patterns: string): string {
  const long = `regexp_replace(regexp_replace(normalize(${text}, NFD), '([aou])${DIAERESIS}', '\\1e', 'gi'), '(a)${RING}', '\\1a', 'gi')`;
  return `(${text} ILIKE ANY (${patterns}) OR CASE WHEN octet_length(${text}) > char_length(${text})
    THEN ${spelledSql(`normalize(${text}, NFD)`, PLAIN)} ILIKE ANY (${patterns})
      OR ${spelledSql(long, LONG)} ILIKE ANY (${patterns}) END)`;
}

function spelledSql(apart: string, letters: ReadonlyMap<string, string>): string {
  const single = [...letters].filter(([, spelling]) => spelling.length === 1);
  const several = [...letters].filter(([, spelling]) => spelling.length > 1);
  const from = single.map(([letter]) => letter).join('');
  const to = single.map(([, spelling]) => spelling).join('');
  const replaced = several.reduce(
    (sql, [letter, spelling]) => `replace(${sql}, '${letter}', '${spelling}')`,
    `translate(regexp_replace(${apart}, '${MARKS}', '', 'g'), '${from}', '${to}')`,
  );
  return `normalize(${replaced}, NFC)`;
}
