/** What the visual editor knows about HTML elements and Handlebars tags. */
import { shownInValue } from './atoms.ts';
import type { OpenToken, TagToken } from './tokens.ts';
import type { ElementNode, Node } from './tree.ts';

const names = (list: string) => new Set(list.split(' '));

/** They stand within a line of text. */
const INLINE = names(
  'a abbr acronym b bdi bdo big br cite code del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr',
);
/** Only the code editor changes what is in them. */
const LOCKED = names(
  'audio base button canvas embed frame frameset head iframe input link map math meta noembed noframes noscript object option param plaintext script select source style svg template textarea title track video xmp',
);
/** May have paragraphs next to each other. */
const FLOW = names('article blockquote body center div footer header main section td th');
/** May be deleted, copied and moved as a whole. Parts of tables may not. */
const WHOLE = names(
  'a address article aside blockquote center div dl figure footer h1 h2 h3 h4 h5 h6 header hr img li main ol p pre section table ul',
);
/** A place for text, even while there is none. */
const TEXT = names('h1 h2 h3 h4 h5 h6 li p');

export const isLockedElement = (name: string) => LOCKED.has(name);
export const isFlowElement = (name: string) => FLOW.has(name);
export const isWholeElement = (name: string) => WHOLE.has(name);
export const isTextElement = (name: string) => TEXT.has(name);

/** Part of a line of text, with everything in it. */
export function isInline(source: string, node: Node): boolean {
  if (node.kind !== 'element') return isPlain(source, node);
  return INLINE.has(node.open.name) && node.children.every((child) => isInline(source, child));
}

/** Text, expressions and line breaks, without elements around them. */
export function isPlain(source: string, node: Node): boolean {
  if (node.kind === 'text') return true;
  if (node.kind === 'template') return isExpression(source, node);
  if (node.kind === 'element') return node.open.name === 'br';
  if (node.kind !== 'block') return false;
  return node.branches.every(({ children }) => children.every((child) => isPlain(source, child)));
}

/** Not a comment, a partial or a loose tag of a block: those are locked. */
function isExpression(source: string, { tag: { kind }, start, end }: TagToken): boolean {
  return kind === 'other' && !/^\{\{~?>/.test(source.slice(start, end));
}

/** Usually inserts HTML rather than text: `{{{content}}}`. */
export function isUnescaped(source: string, node: Node): boolean {
  return node.kind === 'template' && /^\{\{~?[{&]/.test(source.slice(node.start, node.end));
}

export function attributeOf(source: string, { attributes }: OpenToken, name: string): string {
  const value = attributes.find((attribute) => attribute.name === name)?.value;
  return value ? shownInValue(source, value) : '';
}

/** Mail clients have no buttons: they are links with a background or a padding. */
export function looksLikeButton(source: string, { open }: ElementNode): boolean {
  if (open.name !== 'a') return false;
  return (
    /(^|[;\s])(background|padding)/i.test(attributeOf(source, open, 'style')) || hasButtonClass(source, open)
  );
}

/** Its link is drawn as a button by the cell around it. */
export function isButtonCell(source: string, { open }: ElementNode): boolean {
  if (open.name !== 'td') return false;
  return /border-radius/i.test(attributeOf(source, open, 'style')) || hasButtonClass(source, open);
}

function hasButtonClass(source: string, open: OpenToken): boolean {
  return /\b(button|btn|cta)\b/i.test(attributeOf(source, open, 'class'));
}

export function isHidden(source: string, { open }: ElementNode): boolean {
  return /display\s*:\s*none/i.test(attributeOf(source, open, 'style'));
}
