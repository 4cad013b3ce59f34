/**
 * Splits HTML into texts and tags as a browser's tokenizer does. Every step continues where the last one
 * ended, so the time is linear in the HTML's length.
 */
import { decodeReferences } from './entities.ts';

export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string };

/** Elements without an end tag. */
export const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);
/** Elements whose content is not displayed. */
const UNSHOWN =
  /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes|template|svg|math|object|select)$/;
const TAG_NAME = /[A-Za-z][^\s/>]*/y;

/** Characters between two pauses: 0.5 ms. Longer text is split into several tokens. */
const PIECE_CHARS = 16 * 1024;
/** Longer than any character reference. */
const EDGE_CHARS = 20;

/** Yields null as a pause, for callers with long HTML. */
export function* htmlTokens(html: string): Generator<Token | null> {
  /**
   * Elements that are never closed: the following text counts as visible, and their end tag is not searched
   * again.
   */
  const unclosed = new Set<string>();
  let at = 0;
  let searched = 0;
  let pauseAt = PIECE_CHARS;
  for (;;) {
    const start = html.indexOf('<', searched);
    if (start === -1) break;
    const searches = unclosed.size;
    const next = markupAt(html, start, unclosed);
    searched = next?.end ?? start + 1;
    if (searched >= pauseAt || unclosed.size > searches) {
      yield null;
      pauseAt = searched + PIECE_CHARS;
    }
    if (next === null) continue; // a stray bracket is text
    yield* texts(html, at, start);
    if (next.token !== null) yield next.token;
    at = next.end;
  }
  yield* texts(html, at, html.length);
}

function* texts(html: string, start: number, to: number): Generator<Token | null> {
  for (let from = start; from < to; ) {
    const end = pieceEnd(html, from, to);
    yield { kind: 'text', text: decodeReferences(html.slice(from, end)) };
    if (end < to) yield null;
    from = end;
  }
}

/** Avoids splitting a character reference or a line break. */
function pieceEnd(html: string, from: number, to: number): number {
  const edge = from + PIECE_CHARS - EDGE_CHARS;
  if (edge + EDGE_CHARS >= to) return to;
  const reference = html.slice(edge, edge + EDGE_CHARS).lastIndexOf('&');
  if (reference > 0) return edge + reference;
  const end = edge + EDGE_CHARS;
  return html[end - 1] === '\r' && html[end] === '\n' ? end + 1 : end;
}

interface Markup {
  /** Null for comments and declarations. */
  readonly token: Token | null;
  readonly end: number;
}

function markupAt(html: string, start: number, unclosed: Set<string>): Markup | null {
  if (html.startsWith('<!--', start)) return { token: null, end: after(html, '-->', start + 4) };
  if (html[start + 1] === '!' || html[start + 1] === '?')
    return { token: null, end: after(html, '>', start + 2) };
  const isClose = html[start + 1] === '/';
  TAG_NAME.lastIndex = start + (isClose ? 2 : 1);
  const name = TAG_NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) return null;
  const from = TAG_NAME.lastIndex;
  const end = endOfTag(html, from);
  if (isClose) return { token: { kind: 'close', name }, end: end + 1 };
  const attributes = html.slice(from, end);
  if (UNSHOWN.test(name) && !unclosed.has(name)) {
    const behind = endOfElement(html, name, end + 1);
    if (behind !== null) return { token: null, end: behind };
    unclosed.add(name);
  }
  return { token: { kind: 'open', name, attributes }, end: end + 1 };
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

/** The offset of its `>`, ignoring those in quotes. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at += 1) {
    const character = html[at] as string;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if ((character === '"' || character === "'") && html[at - 1] === '=') quote = character;
  }
  return html.length;
}

function endOfElement(html: string, name: string, from: number): number | null {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  close.lastIndex = from;
  const found = close.exec(html);
  return found === null ? null : endOfTag(html, close.lastIndex) + 1;
}

const VALUES = new Map(
  ['style', 'href', 'alt', 'start'].map((name) => [
    name,
    new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i'),
  ]),
);

/** The decoded value of an attribute; null when it is missing. */
export function attribute(attributes: string, name: 'style' | 'href' | 'alt' | 'start'): string | null {
  const found = VALUES.get(name)?.exec(attributes);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? null : decodeReferences(value);
}

/** `<p hidden>`, with or without a value. */
export function saysHidden(attributes: string): boolean {
  return /(?:^|\s)hidden(?=[\s=/]|$)/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, '""'));
}
