/**
 * Finds the HTML and CSS features of a message that mail clients do not support, by the table of Can I email.
 * Pure.
 */
import type { SlicedWork } from '../runtime/sliced-work.ts';
import { CLIENTS, FEATURES } from './client-support.gen.ts';

/** HTML beyond this size is not checked. */
export const MAX_CHECKED_CHARS = 250_000;
const ABOUT = 'https://www.caniemail.com/features/';

interface FeatureFinding {
  readonly feature: string;
  readonly about: string;
  readonly count: number;
  readonly line: number;
  /** Names of mail clients. */
  readonly unsupported: readonly string[];
  readonly partial: readonly string[];
}

export interface HtmlCheck {
  readonly is_complete: boolean;
  readonly features: readonly FeatureFinding[];
  readonly clients: readonly {
    readonly name: string;
    readonly unsupported: number;
    readonly partial: number;
  }[];
}

export function* checkingHtml(html: string): SlicedWork<HtmlCheck> {
  const used = yield* findingUsedFeatures(html.slice(0, MAX_CHECKED_CHARS));
  const features = FEATURES.flatMap(([slug, title, support]): FeatureFinding[] => {
    const found = used.get(slug);
    if (found === undefined) return [];
    const names = (letter: string) =>
      CLIENTS.filter((_, place) => support[place] === letter).map(([, name]) => name);
    const { count, line } = found;
    const about = `${ABOUT}${slug}/`;
    return [{ feature: title, about, count, line, unsupported: names('n'), partial: names('a') }];
  });
  features.sort((a, b) => b.unsupported.length - a.unsupported.length || b.partial.length - a.partial.length);
  return {
    is_complete: html.length <= MAX_CHECKED_CHARS,
    features,
    clients: CLIENTS.map(([, name]) => countsOf(name, features)),
  };
}

function countsOf(name: string, features: readonly FeatureFinding[]) {
  return {
    name,
    unsupported: features.filter(({ unsupported }) => unsupported.includes(name)).length,
    partial: features.filter(({ partial }) => partial.includes(name)).length,
  };
}

interface Used {
  readonly count: number;
  /** Line of the first use. */
  readonly line: number;
}

const SEMANTIC =
  /^(?:article|aside|details|figcaption|figure|footer|header|main|mark|nav|section|summary|time)$/;
/** Attributes that the table lists under their own name. */
const ATTRIBUTES =
  /^(?:align|aria-describedby|aria-hidden|aria-label|aria-labelledby|aria-live|background|dir|hidden|lang|popover|required|role|srcset|target)$/;
const TAG = /<!--[\s\S]*?(?:-->|$)|<([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^'">])*)/gi;
const ATTRIBUTE = /([a-z-]{1,40})\s{0,9}(?:=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi;

/** This many tags, attributes, rules or declarations take 0.5 ms. */
const ITEMS_PER_STEP = 100;

/**
 * The HTML and CSS features that a message uses, by their names in the client table. The scan only moves
 * forward, so its time is linear in the length of the mail.
 */
export function* findingUsedFeatures(html: string): SlicedWork<ReadonlyMap<string, Used>> {
  const found = new Features(html);
  const tags = new RegExp(TAG);
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    if (found.isPauseDue()) yield;
    const name = tag[1]?.toLowerCase();
    if (name === undefined) continue;
    noteElement(found, name, tag.index);
    yield* noteAttributes(found, name, tag[2] ?? '', tag.index);
    if (name !== 'style') continue;
    const sheet = elementText(html, tags.lastIndex);
    yield* noteSheet(found, sheet, tag.index);
    // Skips the sheet's content, which may look like further tags.
    tags.lastIndex += sheet.length;
  }
  return found.all;
}

class Features {
  readonly all = new Map<string, { count: number; line: number }>();
  readonly #html: string;
  #line = 1;
  #counted = 0;
  #items = 0;

  constructor(html: string) {
    this.#html = html;
  }

  add(slug: string, at: number): void {
    const known = this.all.get(slug);
    if (known) known.count += 1;
    else this.all.set(slug, { count: 1, line: this.#lineOf(at) });
  }

  /** Call for every item. */
  isPauseDue(): boolean {
    this.#items += 1;
    return this.#items % ITEMS_PER_STEP === 0;
  }

  /** Positions are ascending, so each line is counted once. */
  #lineOf(at: number): number {
    for (; this.#counted < at; this.#counted += 1) if (this.#html[this.#counted] === '\n') this.#line += 1;
    return this.#line;
  }
}

function noteElement(found: Features, name: string, at: number): void {
  found.add(`html-${name}`, at);
  if (SEMANTIC.test(name)) found.add('html-semantics', at);
  if (/^(?:ul|ol|dl)$/.test(name)) found.add('html-lists', at);
}

function* noteAttributes(found: Features, tag: string, text: string, at: number): SlicedWork<void> {
  for (const [, written = '', a, b, c] of text.matchAll(ATTRIBUTE)) {
    if (found.isPauseDue()) yield;
    const name = written.toLowerCase();
    const value = a ?? b ?? c ?? '';
    noteAttribute(found, tag, name, value, at);
    if (name === 'style') yield* noteDeclarations(found, value, at);
  }
}

function noteAttribute(found: Features, tag: string, name: string, value: string, at: number): void {
  if (ATTRIBUTES.test(name)) found.add(`html-${name}`, at);
  if (name === 'loading') found.add('html-loading-attribute', at);
  if (tag === 'input' && name === 'type') found.add(`html-input-${value.toLowerCase()}`, at);
  if (tag === 'img' && name === 'src') noteImage(found, value, at);
  if (tag === 'a' && name === 'href' && value.startsWith('#')) found.add('html-anchor-links', at);
  if (tag === 'meta' && value.toLowerCase() === 'color-scheme') found.add('html-meta-color-scheme', at);
}

const IMAGE_TYPE = /\.(apng|avif|bmp|gif|heif|ico|svg|tiff|webp|mp4)(?:[?#]|$)/i;

function noteImage(found: Features, src: string, at: number): void {
  if (/^data:/i.test(src)) found.add('image-base64', at);
  const type = IMAGE_TYPE.exec(src.slice(0, 2048))?.[1] ?? /^data:image\/(\w+)/i.exec(src)?.[1];
  if (type) found.add(`image-${type.toLowerCase()}`, at);
}

function elementText(html: string, from: number): string {
  const end = html.indexOf('</', from);
  return html.slice(from, end === -1 ? html.length : end);
}

/** Notes the rules of a style sheet and their declarations. */
function* noteSheet(found: Features, css: string, at: number): SlicedWork<void> {
  const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  yield;
  for (const [, rule = ''] of plain.matchAll(/@([a-z-]{1,30})/gi)) {
    if (found.isPauseDue()) yield;
    found.add(`css-at-${rule.toLowerCase()}`, at);
  }
  for (const [, media = ''] of plain.matchAll(MEDIA)) {
    if (found.isPauseDue()) yield;
    found.add(`css-at-media-${media.toLowerCase()}`, at);
  }
  for (const [, block = ''] of plain.matchAll(/\{([^{}]*)\}/g)) {
    if (found.isPauseDue()) yield;
    yield* noteDeclarations(found, block, at);
  }
  yield* noteSelectors(found, plain.replace(/\{[^{}]*\}/g, ' '), at);
}

const MEDIA = /\(\s{0,9}(prefers-color-scheme|prefers-reduced-motion|orientation|hover)/gi;

function* noteSelectors(found: Features, selectors: string, at: number): SlicedWork<void> {
  for (const [, colons = '', name = ''] of selectors.matchAll(/(::?)([a-z-]{2,30})/gi)) {
    if (found.isPauseDue()) yield;
    const isElement = colons === '::' || /^(?:before|after|first-letter|first-line)$/i.test(name);
    found.add(`css-pseudo-${isElement ? 'element' : 'class'}-${name.toLowerCase()}`, at);
  }
}

/** Properties that the table lists under another name. */
const PROPERTIES = new Map(
  Object.entries({
    left: 'left-right-top-bottom',
    right: 'left-right-top-bottom',
    top: 'left-right-top-bottom',
    bottom: 'left-right-top-bottom',
    'row-gap': 'gap',
    'column-gap': 'gap',
    'grid-template-columns': 'grid-template',
    'grid-template-rows': 'grid-template',
    'grid-template-areas': 'grid-template',
    'animation-name': 'animation',
  }),
);
/** Values with their own entry in the table. */
const VALUES = /^(?:flex|inline-flex|grid|inline-grid|none)$/;
const FUNCTIONS = new Map(
  Object.entries({
    calc: 'css-unit-calc',
    clamp: 'css-function-clamp',
    'light-dark': 'css-function-light-dark',
    max: 'css-function-max',
    min: 'css-function-min',
    var: 'css-variables',
    'linear-gradient': 'css-linear-gradient',
    'radial-gradient': 'css-radial-gradient',
    'conic-gradient': 'css-conic-gradient',
    rgb: 'css-rgb',
    rgba: 'css-rgba',
  }),
);

function* noteDeclarations(found: Features, block: string, at: number): SlicedWork<void> {
  for (const declaration of block.split(';')) {
    if (found.isPauseDue()) yield;
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    if (!/^[a-z-]{1,60}$/.test(property)) continue;
    found.add(`css-${PROPERTIES.get(property) ?? property}`, at);
    noteValue(
      found,
      property,
      declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase(),
      at,
    );
  }
}

function noteValue(found: Features, property: string, value: string, at: number): void {
  if (property === 'display' && VALUES.test(value))
    found.add(`css-display-${value.replace('inline-', '')}`, at);
  if (property.startsWith('--')) found.add('css-variables', at);
  if (value.includes('!important')) found.add('css-important', at);
  for (const [, name = ''] of value.matchAll(/([a-z-]{2,20})\(/g)) {
    const slug = FUNCTIONS.get(name);
    if (slug) found.add(slug, at);
  }
  for (const [, unit = ''] of value.matchAll(/\d(ch|cm|em|ex|in|mm|pc|pt|rem|vh|vmax|vmin|vw)\b/g))
    found.add(`css-unit-${unit}`, at);
}
