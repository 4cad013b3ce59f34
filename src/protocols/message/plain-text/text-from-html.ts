/**
 * Generates the text of an HTML-only mail: what a reader would see, in source order, with link addresses,
 * lists, tables and quotes. Hidden content (scripts, styles, a hidden preheader) is left out.
 *
 * Pure and bounded for any HTML: one pass over the tokens with limited nesting; a second pass if a hidden
 * element is never closed, because the rest of the mail must not disappear with it. HTML with too many tokens
 * gets no text.
 */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { FontSizes } from './font-sizes.ts';
import { attribute, htmlTokens, saysHidden, type Token, VOID } from './tokens.ts';

/** 60 ms of processor time; a long newsletter has 10,000 tokens. */
const MAX_TOKENS = 50_000;
/** Tokens per slice: 1 ms. */
const TOKENS_AT_ONCE = 256;
/** Mail services truncate HTML far earlier. */
const MAX_CHARS = 512 * 1024;

/** Empty when there is nothing to read, or too much. */
export function* convertingHtml(html: string): SlicedWork<string> {
  if (html.length > MAX_CHARS) return '';
  return (yield* convert(html, true)) ?? (yield* convert(html, false)) ?? '';
}

const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table hr figure'.split(' '));
const LINES = new Set(
  'div section article header footer main nav aside address tr li dt dd caption center form fieldset body html legend figcaption details summary'.split(
    ' ',
  ),
);
const RULE = '-'.repeat(20);
/** Deeper lists are not indented further. */
const MAX_DEPTH = 40;
const HIDDEN_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|max-height\s*:\s*0(?:px)?\s*(?:;|!|$))/i;
const WEB_LINK = /^(?:https?|ftp):\/\/\S/i;

interface Level {
  readonly name: string;
  /** The number of the next item of an ordered list; null for other lists and for quotes. */
  next: number | null;
}

interface Link {
  readonly href: string;
  /** Text read since its beginning. */
  text: string;
  /** Whether it displays anything: words, or an image. */
  isShown: boolean;
}

interface Reading {
  readonly out: TextWriter;
  readonly levels: Level[];
  link: Link | null;
  preformatted: number;
  readonly sizes: FontSizes;
  /** The hidden element, and the number of open elements with its name in it. */
  hidden: { readonly name: string; depth: number } | null;
}

/** Null when a hidden element is never closed. */
function* convert(html: string, hides: boolean): SlicedWork<string | null> {
  const state: Reading = {
    ...{ out: new TextWriter(), levels: [], link: null },
    ...{ preformatted: 0, sizes: new FontSizes(), hidden: null },
  };
  let left = MAX_TOKENS;
  for (const token of htmlTokens(html)) {
    if (token === null) {
      yield;
      continue;
    }
    left -= 1;
    if (left < 0) return '';
    if (left % TOKENS_AT_ONCE === 0) yield;
    if (state.hidden !== null) passHidden(state, token);
    else read(state, token, hides);
  }
  if (state.hidden !== null || state.sizes.hasZeroOpen) return null;
  endLink(state);
  return state.out.toString();
}

function read(state: Reading, token: Token, hides: boolean): void {
  if (token.kind === 'text') {
    if (!state.sizes.isZero) say(state, token.text);
    return;
  }
  if (hides && token.kind === 'open' && isHidden(token.name, token.attributes)) {
    state.hidden = { name: token.name, depth: 1 };
    return;
  }
  if (hides) state.sizes.pass(token);
  if (token.kind === 'close') close(state, token.name);
  else open(state, token.name, token.attributes);
}

function passHidden(state: Reading, token: Token): void {
  const { hidden } = state;
  if (hidden === null || token.kind === 'text' || token.name !== hidden.name) return;
  hidden.depth += token.kind === 'open' ? 1 : -1;
  if (hidden.depth === 0) state.hidden = null;
}

function isHidden(name: string, attributes: string): boolean {
  if (attributes === '' || VOID.has(name) || name === 'body' || name === 'html') return false;
  return HIDDEN_STYLE.test(attribute(attributes, 'style') ?? '') || saysHidden(attributes);
}

function say(state: Reading, text: string): void {
  if (state.link !== null) {
    state.link.text += text;
    state.link.isShown = true;
  }
  if (state.preformatted > 0) state.out.verbatim(text);
  else state.out.words(text);
}

function open(state: Reading, name: string, attributes: string): void {
  const { out, levels } = state;
  if (PARAGRAPHS.has(name)) out.atLeast(levels.length > 0 && isList(name) ? 1 : 2);
  else if (LINES.has(name)) out.atLeast(1);
  if (name === 'br') out.lineBreak();
  else if (name === 'hr') rule(out);
  else if (name === 'img') say(state, ` ${attribute(attributes, 'alt') ?? ''} `);
  else if (name === 'a') beginLink(state, attributes);
  else if (name === 'td' || name === 'th') out.gap();
  else if (name === 'pre') state.preformatted += 1;
  else if (name === 'li') item(state);
  else if (name === 'blockquote') push(state, { name, next: null }, '> ');
  else if (isList(name) && levels.length < MAX_DEPTH)
    levels.push({ name, next: name === 'ol' ? startOf(attributes) : null });
}

function close(state: Reading, name: string): void {
  const { out, levels } = state;
  if (name === 'a') endLink(state);
  else if (name === 'pre') state.preformatted = Math.max(0, state.preformatted - 1);
  else if (name === 'li') closeLevel(state, 'li', ['ul', 'ol']);
  else if (isList(name) || name === 'blockquote') closeLevel(state, name, []);
  if (PARAGRAPHS.has(name)) out.atLeast(isList(name) && levels.length > 0 ? 1 : 2);
  else if (LINES.has(name)) out.atLeast(1);
}

function isList(name: string): boolean {
  return name === 'ul' || name === 'ol';
}

function startOf(attributes: string): number {
  const start = Number(attribute(attributes, 'start') ?? 1);
  return Number.isSafeInteger(start) ? start : 1;
}

/** An item ends the previous one of the same list, which need not be closed. */
function item(state: Reading): void {
  closeLevel(state, 'li', ['ul', 'ol']);
  const list = state.levels.findLast(({ name }) => isList(name));
  const mark = list?.next == null ? '- ' : `${list.next}. `;
  if (list?.next != null) list.next += 1;
  push(state, { name: 'li', next: null }, ' '.repeat(mark.length), mark);
}

function push({ levels, out }: Reading, level: Level, prefix: string, mark: string | null = null): void {
  if (levels.length >= MAX_DEPTH) return;
  levels.push(level);
  out.indent(prefix, mark);
}

/** Closes the open levels up to the nearest one of that name, but none beyond one of `within`. */
function closeLevel({ levels, out }: Reading, name: string, within: readonly string[]): void {
  const at = levels.findLastIndex((one) => one.name === name || within.includes(one.name));
  if (at === -1 || levels[at]?.name !== name) return;
  for (const one of levels.splice(at)) if (!isList(one.name)) out.outdent();
}

function rule(out: TextWriter): void {
  out.words(RULE);
  out.atLeast(2);
}

function beginLink(state: Reading, attributes: string): void {
  endLink(state);
  const href = (attribute(attributes, 'href') ?? '').replace(/[\s\u0000-\u001f]+/g, '');
  state.link = { href, text: '', isShown: !state.sizes.isZero };
}

/** The address follows the words unless both are equal. Links within the mail, and scripts, have none. */
function endLink(state: Reading): void {
  const { link, out } = state;
  state.link = null;
  if (link === null || !link.isShown || !WEB_LINK.test(link.href)) return;
  const words = link.text.trim();
  if (bare(words) === bare(link.href)) return;
  if (words !== '') out.space();
  out.words(words === '' ? link.href : `(${link.href})`);
}

function bare(address: string): string {
  return address
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}

const GAP = '  ';
/** Limited, because blanks are processed again with every token. */
const MAX_BLANKS = 1_000;
/** Invisible spaces that fill preheaders; joiners are kept because scripts need them. */
const FILLERS = /\u00ad|\u034f|\u200b|\u2060|\ufeff/g;

/**
 * Writes lines of text. Owns the written text and pending white space, which is output only before further
 * text, so that no line ends with white space and empty lines do not repeat.
 */
class TextWriter {
  readonly #lines: string[] = [];
  /** In pieces, because a line of a million words must not be copied for each of them. */
  #line: string[] = [];
  /** Line breaks pending before the next words. */
  #breaks = 0;
  /** Pending separator between the last words and the next on the same line. */
  #between = '';
  /** Trailing blanks of preformatted text, which count if text follows on the same line. */
  #blanks = '';
  readonly #prefixes: string[] = [];
  /** Replaces the innermost prefix once: the mark of a list item. */
  #mark: string | null = null;

  /** Running text: white space of any length is one space. */
  words(text: string): void {
    const clean = text.replace(FILLERS, '').replace(/[\s\u00a0]+/g, ' ');
    if (clean.startsWith(' ')) this.space();
    const body = clean.trim();
    if (body === '') return;
    this.#put(body);
    if (clean.endsWith(' ')) this.space();
  }

  verbatim(text: string): void {
    const lines = text.replace(/\r\n?/g, '\n').split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.lineBreak();
      const whole = this.#blanks + line;
      const body = whole.trimEnd();
      if (body !== '') this.#put(body);
      this.#blanks = whole.slice(body.length, body.length + MAX_BLANKS);
    }
  }

  /** Requires this many line breaks before the next text: 1 begins a line, 2 a paragraph. */
  atLeast(lineEnds: 1 | 2): void {
    this.#between = '';
    this.#blanks = '';
    if (this.#hasBegun) this.#breaks = Math.max(this.#breaks, lineEnds);
  }

  /** Adds one line break, like `<br>`; two make an empty line, and more have no effect. */
  lineBreak(): void {
    this.#between = '';
    this.#blanks = '';
    if (this.#hasBegun) this.#breaks = Math.min(this.#breaks + 1, 2);
  }

  space(): void {
    if (this.#between === '') this.#between = ' ';
  }

  /** Separates two cells of a table. */
  gap(): void {
    this.#between = GAP;
  }

  indent(prefix: string, mark: string | null = null): void {
    this.#prefixes.push(prefix);
    if (mark !== null) this.#mark = mark;
  }

  outdent(): void {
    this.#prefixes.pop();
    this.#mark = null;
  }

  toString(): string {
    return [...this.#lines, this.#line.join('')].join('\n').trim();
  }

  get #hasBegun(): boolean {
    return this.#lines.length > 0 || this.#line.length > 0;
  }

  #put(text: string): void {
    if (this.#breaks > 0) this.#endLine();
    this.#line.push(this.#line.length === 0 ? this.#beginning() : this.#between, text);
    this.#between = '';
  }

  #endLine(): void {
    this.#lines.push(this.#line.join(''));
    if (this.#breaks > 1) this.#lines.push('');
    this.#line = [];
    this.#breaks = 0;
  }

  #beginning(): string {
    const outer = this.#prefixes.slice(0, -1).join('');
    const inner = this.#mark ?? this.#prefixes.at(-1) ?? '';
    this.#mark = null;
    return outer + inner;
  }
}
