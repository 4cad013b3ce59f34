/**
 * Splits HTML into texts and tags as a browser's tokenizer does. Every step continues where the last one
 * ended, so the time is linear in the HTML's length.
 */

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

/** U+00A0 to U+00FF, in order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
/** U+0391 to U+03C9, in order; a dash where there is no letter. */
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega';
const OTHERS =
  'quot" amp& lt< gt> apos\' OEligŒ oeligœ ScaronŠ scaronš YumlŸ fnofƒ circˆ tilde˜ ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ dagger† Dagger‡ bull• hellip… permil‰ prime′ Prime″ lsaquo‹ rsaquo› oline‾ frasl⁄ euro€ trade™ larr← uarr↑ rarr→ darr↓ harr↔ rArr⇒ hArr⇔ forall∀ part∂ exist∃ empty∅ nabla∇ isin∈ ni∋ prod∏ sum∑ minus− lowast∗ radic√ prop∝ infin∞ ang∠ and∧ or∨ cap∩ cup∪ int∫ sim∼ cong≅ asymp≈ ne≠ equiv≡ le≤ ge≥ sub⊂ sup⊃ loz◊ spades♠ clubs♣ hearts♥ diams♦ check✓ star☆';

const NAMED = new Map<string, string>([
  ...inOrder(LATIN, 0xa0),
  ...inOrder(GREEK, 0x391),
  ...OTHERS.split(' ').map((one): [string, string] => [one.slice(0, -1), one.slice(-1)]),
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['zwsp', '\u200b'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
]);

const REFERENCE = /&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{1,15}));?/g;
/** Numbers from 128 to 159 are decoded as Windows-1252, as in browsers. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Character references of HTML: all numeric ones, and the names of HTML 4, which mail uses. */
function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) return WINDOWS[code - 0x80] as string;
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
  return isNone ? '\ufffd' : String.fromCodePoint(code);
}

function inOrder(names: string, first: number): [string, string][] {
  return names.split(' ').map((name, index) => [name, String.fromCodePoint(first + index)]);
}
