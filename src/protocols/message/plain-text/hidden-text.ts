/**
 * Finds text in HTML that most mail clients hide: comments, elements hidden by their own attributes, and
 * elements that are never displayed. An aid for reviewers; style sheets can hide more, so it does not replace
 * the source. Pure.
 */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { FontSizes } from './font-sizes.ts';
import { attribute, htmlTokens, saysHidden, type Token, VOID } from './tokens.ts';

const HIDING =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|max-height|max-width|height|width|line-height)\s*:\s*\.?0(?![\d.]*[1-9])|mso-hide\s*:\s*all|text-indent\s*:\s*-\d{3}|(?<!-)color\s*:\s*transparent/i;
const UNSHOWN = [
  'title',
  'template',
  'textarea',
  'noscript',
  'noembed',
  'noframes',
  'svg',
  'math',
  'object',
  'select',
];

/** Longer HTML and attributes are only searched up to this length. */
const MAX_HTML_CHARS = 2 * 1024 * 1024;
const MAX_ATTRIBUTES_CHARS = 64 * 1024;
const MAX_TEXTS = 100;
const MAX_TEXT_CHARS = 2_000;
const SLICE_TOKENS = 200;

/** Without duplicates, in source order, comments first. */
export function* findingHiddenTexts(html: string): SlicedWork<string[]> {
  const looked = html.slice(0, MAX_HTML_CHARS);
  const found = new Set<string>();
  for (const find of [comments, unshown, hiddenElements]) {
    for (const text of find(looked)) {
      yield;
      const line = text === null ? '' : asLine(text);
      if (line !== '') found.add(line);
      if (found.size === MAX_TEXTS) return [...found];
    }
  }
  return [...found];
}

function asLine(text: string): string {
  const beginning = text.trimStart().slice(0, 2 * MAX_TEXT_CHARS);
  return beginning.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_CHARS);
}

/** Yields null at the end of a slice without a text. */
type Search = Generator<string | null>;

function* comments(html: string): Search {
  for (let at = html.indexOf('<!--'); at !== -1; at = html.indexOf('<!--', at)) {
    const end = html.indexOf('-->', at + 4);
    yield html.slice(at + 4, end === -1 ? undefined : end);
    if (end === -1) return;
    at = end + 3;
  }
}

/**
 * The content of elements that no client displays. Each name stops at its last end tag, so no search is
 * repeated.
 */
function* unshown(html: string): Search {
  for (const name of UNSHOWN) {
    yield null;
    const begin = new RegExp(`<${name}(?=[\\s/>])`, 'gi');
    const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    while (begin.exec(html) !== null) {
      const from = html.indexOf('>', begin.lastIndex) + 1;
      close.lastIndex = from;
      const end = from === 0 ? undefined : close.exec(html)?.index;
      // Without an end tag the content is unknown; the following text is searched normally.
      if (end === undefined) break;
      yield* words(html.slice(from, end));
      begin.lastIndex = end;
    }
  }
}

interface Looking {
  readonly sizes: FontSizes;
  /** The open hidden element, and the number of open elements with its name in it. */
  inside: { readonly name: string; depth: number } | null;
  /** Hidden text since the last visible one. */
  text: string;
}

function* hiddenElements(html: string): Search {
  const state: Looking = { sizes: new FontSizes(), inside: null, text: '' };
  let tokens = 0;
  for (const token of htmlTokens(html)) {
    tokens += 1;
    if (token === null || tokens % SLICE_TOKENS === 0) yield null;
    if (token === null) continue;
    look(state, token);
    if (state.text === '' || state.inside !== null || state.sizes.isZero) continue;
    yield state.text;
    state.text = '';
  }
  yield state.text;
}

function look(state: Looking, token: Token): void {
  const { inside, sizes } = state;
  if (inside === null && hides(token)) {
    state.inside = { name: token.name, depth: 1 };
    return;
  }
  if (token.kind === 'text' && (inside !== null || sizes.isZero)) state.text += ` ${token.text}`;
  if (inside === null) sizes.pass(token);
  else if (token.kind !== 'text' && token.name === inside.name) {
    inside.depth += token.kind === 'open' ? 1 : -1;
    if (inside.depth === 0) state.inside = null;
  }
}

function hides(token: Token): token is Extract<Token, { readonly kind: 'open' }> {
  if (token.kind !== 'open' || VOID.has(token.name)) return false;
  const attributes = token.attributes.slice(0, MAX_ATTRIBUTES_CHARS);
  return saysHidden(attributes) || HIDING.test(attribute(attributes, 'style') ?? '');
}

function* words(html: string): Search {
  let text = '';
  let tokens = 0;
  for (const token of htmlTokens(html)) {
    tokens += 1;
    if (token === null || tokens % SLICE_TOKENS === 0) yield null;
    if (token?.kind === 'text') text += ` ${token.text}`;
  }
  yield text;
}
