/**
 * The elements of a text in order, and where a style can be written into each. The text is not repaired or
 * rewritten.
 */
import { Parser } from 'htmlparser2';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { INLINING_LIMITS } from './limits.ts';

/** The parser takes 200 ns per character for unclosed tags. */
const STEP_CHARS = 8 * 1024;

export interface StyledElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: StyledElement | null;
  readonly depth: number;
  /** Position of its style, or where one can be inserted; null when that is impossible. */
  readonly place: StylePlace | null;
}

interface StylePlace {
  readonly at: number;
  /** The quote around the existing style; null without a style. */
  readonly quote: '"' | "'" | null;
}

interface ReadElements {
  readonly elements: readonly StyledElement[];
  readonly sheets: readonly string[];
}

/** Null when there are too many elements. */
export function* readElements(text: string): SlicedWork<ReadElements | null> {
  const reader = new ElementReader(text);
  const parser = new Parser(reader, {
    lowerCaseTags: true,
    lowerCaseAttributeNames: true,
    decodeEntities: true,
  });
  reader.onparserinit(parser);
  for (let at = 0; at < text.length; at += STEP_CHARS) {
    parser.write(text.slice(at, at + STEP_CHARS));
    if (reader.isTooMuch) return null;
    yield;
  }
  parser.end();
  return reader.isTooMuch ? null : { elements: reader.elements, sheets: reader.sheets };
}

interface OpenElement {
  name: string;
  attributes: Map<string, string>;
  parent: StyledElement | null;
  depth: number;
  place: StylePlace | null;
}

class ElementReader {
  readonly elements: StyledElement[] = [];
  readonly sheets: string[] = [];
  isTooMuch = false;
  readonly #text: string;
  #parser: Parser | null = null;
  #current: OpenElement | null = null;
  #open: StyledElement[] = [];
  #sheet: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  onparserinit(parser: Parser): void {
    this.#parser = parser;
  }

  onopentagname(name: string): void {
    const start = this.#parser?.startIndex ?? 0;
    const parent = this.#open.at(-1) ?? null;
    const depth = this.#open.length;
    const at = start + 1 + name.length;
    const isThere = this.#text.slice(start + 1, at).toLowerCase() === name;
    const place = isThere ? { at, quote: null } : null;
    this.#current = { name, attributes: new Map(), parent, depth, place };
  }

  onattribute(name: string, value: string, quote?: string | null): void {
    if (this.#current === null) return;
    this.#current.attributes.set(name, value);
    if (name === 'style') this.#current.place = this.#within(quote ?? null);
  }

  /** The position after the opening quote. Without a quote no style can be inserted. */
  #within(quote: string | null): StylePlace | null {
    if (quote !== '"' && quote !== "'") return null;
    const start = this.#parser?.startIndex ?? 0;
    const at = this.#text.indexOf(quote, start);
    return at === -1 ? null : { at: at + 1, quote };
  }

  onopentag(name: string): void {
    const made = this.#current;
    this.#current = null;
    if (made === null) return;
    this.elements.push(made);
    this.#open.push(made);
    if (name === 'style' && !made.attributes.has('media')) this.#sheet = '';
    if (this.elements.length > INLINING_LIMITS.elements || this.#open.length > INLINING_LIMITS.depth)
      this.isTooMuch = true;
  }

  ontext(text: string): void {
    if (this.#sheet !== null) this.#sheet += text;
  }

  onclosetag(name: string): void {
    if (name === 'style' && this.#sheet !== null) {
      this.sheets.push(this.#sheet);
      this.#sheet = null;
    }
    if (this.#open.at(-1)?.name === name) this.#open.pop();
  }
}
