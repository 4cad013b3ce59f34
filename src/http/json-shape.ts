/**
 * Checks the shape of a JSON text without parsing it, so that too deep or too wide input is refused at little
 * cost. Parsing 20 MiB of `[` is itself the attack, and a million keys in one object take seconds.
 *
 * Strings are skipped with `indexOf`, so a large base64 attachment costs next to nothing. The engine searches
 * for bytes, though: in a text of `Ģ` (U+0122), half of whose bytes equal a quote, it takes a hundred times
 * as long. So every search is limited in length. The scan can pause and resume, so that other requests are
 * served in between. It does not check syntax; the parser does.
 */

/** Template data may be 10 deep; nothing else comes close to this. */
export const DEEPEST = 32;
/** The largest legitimate body is an import of 100,000 addresses with reasons, which holds 300,001 values. */
export const MAX_VALUES = 400_000;
/** No object of our API has more than fifty names, but template data may be a lookup table. */
export const MAX_NAMES = 2_000;
/** No name of our API is longer than thirty characters, and template data needs no longer ones. */
export const LONGEST_NAME = 1_000;
/** A number with more than a few hundred digits is infinite or loses its precision. */
export const LONGEST_NUMBER = 1_000;

const SEARCHED_AT_ONCE = 16 * 1024;
const LONGEST_ESCAPE = 6;
/** Characters of a string that are checked one by one before a search is worth its call. */
const LOOKED_AT_CHARS = 32;

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const TOO_LONG_A_NAME = `the body has a field name of more than ${LONGEST_NAME} characters`;
const TOO_LONG_A_NUMBER = `the body has a number of more than ${LONGEST_NUMBER} characters`;

export class ShapeScan {
  readonly #text: string;
  #at = 0;
  #values = 0;
  /** The number of names in each open object; null for arrays. */
  readonly #names: (number | null)[] = [];
  #inString = false;
  /** Offset of the string that began last. */
  #stringAt = 0;
  /** The next token in the object is a name. */
  #wantsName = false;
  /** Offset of the last string, bracket, comma or space. A number that is too long began there. */
  #lastMark = 0;
  #problem: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first problem found so far. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Scans at least this many more characters. True when the scan is complete. */
  advance(most = Number.POSITIVE_INFINITY): boolean {
    const { length } = this.#text;
    const until = Math.min(this.#at + most, length);
    while (this.#at < until && this.#problem === undefined)
      this.#at = this.#inString ? this.#throughString() : this.#toMark(until);
    return this.#at >= length || this.#problem !== undefined;
  }

  /** Moves behind the next string, bracket, comma or space. */
  #toMark(until: number): number {
    const text = this.#text;
    let at = this.#at;
    let char = text.charCodeAt(at);
    while (char > SPACE && char < OPEN_ARRAY && char !== QUOTE && char !== COMMA) {
      if (at - this.#lastMark > LONGEST_NUMBER) {
        this.#problem = TOO_LONG_A_NUMBER;
        return at;
      }
      at += 1;
      if (at >= until) return at;
      char = text.charCodeAt(at);
    }
    this.#lastMark = at;
    if (char === QUOTE) this.#enterString(at);
    else if (char === COMMA) this.#another();
    else if (char >= OPEN_ARRAY) this.#bracket(char);
    return at + 1;
  }

  #enterString(at: number): void {
    this.#inString = true;
    this.#stringAt = at + 1;
  }

  /**
   * Moves behind the end of the string, or as far as one search goes. The parser reports a string without an
   * end.
   */
  #throughString(): number {
    const limit = Math.min(this.#at + SEARCHED_AT_ONCE, this.#text.length);
    const quote = endOfString(this.#text, this.#at, limit);
    this.#inString = quote === -1;
    if (this.#wantsName && (quote === -1 ? limit : quote) - this.#stringAt > LONGEST_NAME)
      this.#problem = TOO_LONG_A_NAME;
    if (quote !== -1) {
      this.#wantsName = false;
      this.#lastMark = quote;
      return quote + 1;
    }
    return limit === this.#text.length ? limit : cutBefore(this.#text, this.#at, limit);
  }

  #bracket(char: number): void {
    if (char === OPEN_ARRAY || char === OPEN_OBJECT) this.#open(char === OPEN_OBJECT);
    else if (char === CLOSE_ARRAY || char === CLOSE_OBJECT) this.#names.pop();
  }

  #open(isObject: boolean): void {
    this.#names.push(isObject ? 1 : null);
    this.#wantsName = isObject;
    if (this.#names.length > DEEPEST) {
      this.#problem = `the body is nested too deeply, ${DEEPEST} levels are the most`;
    } else this.#count();
  }

  /** The first item of a list or object is counted at its bracket, the others at their commas. */
  #another(): void {
    const last = this.#names.length - 1;
    const names = this.#names[last];
    this.#wantsName = typeof names === 'number';
    if (typeof names === 'number') this.#names[last] = names + 1;
    if (typeof names === 'number' && names === MAX_NAMES) {
      this.#problem = `an object in the body has more than ${MAX_NAMES} fields`;
    } else this.#count();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES) this.#problem = `the body holds more than ${MAX_VALUES} values`;
  }
}

/**
 * Offset of the closing quote if it lies before `limit`, otherwise -1. `from` is inside the string and
 * outside of any escape.
 */
export function endOfString(text: string, from: number, limit: number): number {
  const near = Math.min(limit, from + LOOKED_AT_CHARS);
  for (let at = from; at < near; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) break;
  }
  const part = text.slice(from, limit); // a view, not a copy
  for (let at = part.indexOf('"'); at !== -1; at = part.indexOf('"', at + 1)) {
    if (!isEscaped(part, at)) return from + at;
  }
  return -1;
}

/** The last offset up to `limit` at which a string can be cut: never inside an escape like `\u00e9`. */
export function cutBefore(text: string, start: number, limit: number): number {
  const near = text.slice(limit - LONGEST_ESCAPE + 1, limit).lastIndexOf('\\');
  if (near === -1) return limit;
  const slash = limit - LONGEST_ESCAPE + 1 + near;
  let run = 0;
  while (slash - run >= start && text[slash - run] === '\\') run += 1;
  return run % 2 === 1 ? slash : limit;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

/**
 * Offset of the end of the value that begins at `start`, if it lies within `reach` characters; otherwise -1.
 */
export function endOfValue(text: string, start: number, reach: number): number {
  const limit = Math.min(text.length, start + reach);
  let depth = 0;
  for (let at = start; at < limit; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfString(text, at + 1, limit);
      if (at === -1) return -1;
      if (depth === 0) return at + 1;
    } else if (char === OPEN_ARRAY || char === OPEN_OBJECT) depth += 1;
    else if (char === CLOSE_ARRAY || char === CLOSE_OBJECT) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (char === COMMA || char <= 0x20)) return at;
  }
  return limit === text.length && depth === 0 ? limit : -1;
}
