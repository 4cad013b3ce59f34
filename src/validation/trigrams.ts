/**
 * Measures how surprising a text is to a model of names and words: cross-entropy in bits per character under
 * character trigrams. Shannon entropy is unsuitable: `john.smith` has more of it than `x7k2q9z4`.
 *
 * The same code prepares texts for training (scripts/build-validation-data.mjs) and for scoring.
 */

/**
 * a-z are 1 to 26; all digits are one symbol, and so are dots, underscores and hyphens. 0 marks the start and the
 * end.
 */
export const EDGE = 0;
export const DIGIT = 27;
export const SEPARATOR = 28;
export const SYMBOLS = 29;
/** Costs are stored as bytes, in this many steps per bit. */
export const STEPS_PER_BIT = 16;

/** One byte per trigram: the cost of its last symbol after the first two. */
export type TrigramModel = Uint8Array;

/** Null for texts with characters outside the model (Cyrillic, Han, symbols). */
export function symbolsOf(text: string): number[] | null {
  const symbols: number[] = [];
  const plain = withoutMarks(text);
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code >= A && code <= Z) symbols.push(code - A + 1);
    else if (code >= ZERO && code <= NINE) symbols.push(DIGIT);
    else if (code === DOT || code === UNDERSCORE || code === HYPHEN) symbols.push(SEPARATOR);
    else return null;
  }
  return symbols;
}

const A = 0x61;
const Z = 0x7a;
const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;

/** The usual ASCII spelling of names in addresses: `Müller` muller, `Łukasz` lukasz, `Bjørn` bjorn. */
export function withoutMarks(text: string): string {
  const lower = text.toLowerCase();
  if (!/[^\x00-\x7f]/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øłđßæœþðıħ]/g, (char) => SPELLED[char] ?? char);
}

const SPELLED: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ı: 'i',
  ħ: 'h',
};

/** The end counts as a symbol: `smith` ends like a name, `smithq` does not. */
export function bitsPerCharacter(model: TrigramModel, symbols: readonly number[]): number {
  let before = EDGE;
  let last = EDGE;
  let steps = 0;
  for (const symbol of symbols) {
    steps += model[trigramAt(before, last, symbol)] ?? 0;
    before = last;
    last = symbol;
  }
  steps += model[trigramAt(before, last, EDGE)] ?? 0;
  return steps / STEPS_PER_BIT / (symbols.length + 1);
}

export function trigramAt(before: number, last: number, next: number): number {
  return (before * SYMBOLS + last) * SYMBOLS + next;
}
