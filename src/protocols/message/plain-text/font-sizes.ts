/**
 * Finds text of size zero in HTML. A child overrides the inherited size, and mail compilers rely on that:
 * MJML wraps everything in `font-size:0px` and gives each text its own size. So the innermost size decides.
 * Pure.
 */
import { attribute, type Token, VOID } from './tokens.ts';

/** Real mail has fewer nested sizes; beyond this, text counts as visible. */
const MAX_NESTED = 64;
/** Of longer attributes only the beginning is parsed. */
const MAX_STYLE_CHARS = 4_096;

/** An open element with a font size. */
interface Sized {
  readonly name: string;
  readonly isZero: boolean;
  /** Number of open elements with its name, including itself. */
  depth: number;
}

export class FontSizes {
  readonly #open: Sized[] = [];
  #isTooDeep = false;

  /** Whether text at this position has size zero. */
  get isZero(): boolean {
    return !this.#isTooDeep && this.#open.at(-1)?.isZero === true;
  }

  /** Whether an element with size zero is open; at the end of the HTML such an element was never closed. */
  get hasZeroOpen(): boolean {
    return !this.#isTooDeep && this.#open.some(({ isZero }) => isZero);
  }

  pass(token: Token): void {
    if (token.kind === 'close') this.#close(token.name);
    else if (token.kind === 'open' && !VOID.has(token.name)) this.#begin(token.name, token.attributes);
  }

  #begin(name: string, attributes: string): void {
    const size = name === 'body' || name === 'html' ? null : sizeOf(name, attributes);
    const isZero = size ?? false;
    // Only a zero size, and a size inside of one, matter.
    if (size === null || (!isZero && this.#open.length === 0)) {
      const around = this.#innermost(name);
      if (around !== undefined) around.depth += 1;
    } else if (this.#open.length < MAX_NESTED) this.#open.push({ name, isZero, depth: 1 });
    else this.#isTooDeep = true;
  }

  /** Elements still open inside this one end with it. */
  #close(name: string): void {
    const ended = this.#innermost(name);
    if (ended === undefined) return;
    ended.depth -= 1;
    if (ended.depth === 0) this.#open.splice(this.#open.lastIndexOf(ended));
  }

  #innermost(name: string): Sized | undefined {
    return this.#open.length === 0 ? undefined : this.#open.findLast((one) => one.name === name);
  }
}

/** True for zero, false for another size, null for an inherited or relative size. */
function sizeOf(name: string, attributes: string): boolean | null {
  if (attributes === '') return null;
  const style = attribute(attributes, 'style');
  const said = style === null ? null : sizeOfStyle(style.slice(0, MAX_STYLE_CHARS));
  if (said !== null) return said;
  return name === 'font' && /(?:^|\s)size\s*=/i.test(attributes) ? false : null;
}

const DECLARATION = /(?:^|;)\s*(font|font-size)\s*:([^;]*)/gi;
const SIZE = /^(\d*\.?\d+)([a-z%]*)$/;
/** Sizes relative to the parent element. */
const RELATIVE = /^(?:inherit|unset|revert|revert-layer|smaller|larger)$/;
const RELATIVE_UNIT = /^(?:em|ex|ch|cap|ic|lh|%)$/;

function sizeOfStyle(style: string): boolean | null {
  let size: boolean | null = null;
  for (const [, property = '', value = ''] of style.matchAll(DECLARATION)) {
    const words = value
      .toLowerCase()
      .replace(/!\s*important/, '')
      .trim()
      .split(/[\s/]+/);
    // `font: bold 12px/1.5 Arial`: a weight has no unit.
    const word = property.length === 4 ? words.find((one) => /^(?:0|[\d.]+[a-z%]+)$/.test(one)) : words[0];
    if (word !== undefined && word !== '') size = isZeroSize(word);
  }
  return size;
}

function isZeroSize(word: string): boolean | null {
  if (RELATIVE.test(word)) return null;
  const [, number, unit = ''] = SIZE.exec(word) ?? [];
  if (number === undefined) return false;
  if (Number(number) === 0) return true;
  return RELATIVE_UNIT.test(unit) ? null : false;
}
