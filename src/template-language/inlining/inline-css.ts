/**
 * Writes what style sheets say into the elements that they mean, for mail programs that know no style sheets.
 *
 * It works on the checked tree, before anything is filled in: once for a version, and never for a mail. Blocks are looked at with
 * all their branches; what is filled in is a character that nothing matches. Sheets stay where they are: what depends on the
 * reader (`@media`, `:hover`) only works there.
 */
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import type { Body, Node } from '../tree.ts';
import { rulesOf, type StyleDeclaration, type StyleRule } from './css-rules.ts';
import { readElements, type StyledElement } from './elements.ts';
import { INLINING_LIMITS, PLACEHOLDER } from './limits.ts';
import { Matcher } from './match.ts';

export type Inlined =
  | { readonly ok: true; readonly body: Body }
  /** Why it is too much. */
  | { readonly ok: false; readonly message: string };

const TOO_MUCH =
  'has too much CSS, or too many elements, to be written into them: leave out inline_css, or make it smaller';

const RULES_PER_STEP = 50;
const DECLARATIONS_PER_STEP = 500;

/** Nothing of them is shown, or what is shown is what they hold: a style in them is only in the way. */
const NEVER_STYLED: ReadonlySet<string> = new Set([
  ...['head', 'title', 'meta', 'link', 'base', 'style', 'script', 'template', 'noscript'],
]);

export function* inlineCss(body: Body): SlicedWork<Inlined> {
  const read = yield* readElements(skeletonOf(body));
  if (read === null) return { ok: false, message: TOO_MUCH };
  const rules = yield* rulesOf(read.sheets);
  if (rules === null) return { ok: false, message: TOO_MUCH };
  const insertions = yield* insertionsFor(read.elements, rules);
  if (insertions === null) return { ok: false, message: TOO_MUCH };
  return { ok: true, body: insertions.size === 0 ? body : new Writer(insertions).body(body) };
}

/** All of its text, with all branches one after the other. */
function skeletonOf({ nodes }: Body): string {
  return nodes.map(textOf).join('');
}

function textOf(node: Node): string {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'value') return PLACEHOLDER;
  return skeletonOf(node.body) + skeletonOf(node.otherwise);
}

/** What to write where; null where it is too much. */
function* insertionsFor(
  elements: readonly StyledElement[],
  rules: readonly StyleRule[],
): SlicedWork<ReadonlyMap<number, string> | null> {
  const matcher = new Matcher();
  const insertions = new Map<number, string>();
  let declarations = 0;
  let chars = 0;
  for (const element of elements) {
    if (element.place === null || NEVER_STYLED.has(element.name)) continue;
    const meant = yield* rulesFor(element, rules, matcher);
    declarations += meant.reduce((sum, rule) => sum + rule.declarations.length, 0);
    if (matcher.isOver || declarations > INLINING_LIMITS.declarations) return null;
    const style = yield* styleOf(meant);
    if (style === '') continue;
    const { at, quote } = element.place;
    const text = quote === null ? ` style="${quoted(style, '"')}"` : `${quoted(style, quote)};`;
    chars += text.length;
    if (chars > INLINING_LIMITS.chars) return null;
    insertions.set(at, text);
  }
  return insertions;
}

function* rulesFor(
  element: StyledElement,
  rules: readonly StyleRule[],
  matcher: Matcher,
): SlicedWork<readonly StyleRule[]> {
  const meant: StyleRule[] = [];
  for (const [index, rule] of rules.entries()) {
    if (index % RULES_PER_STEP === 0) yield;
    if (matcher.isMeant(element, rule.selector)) meant.push(rule);
    if (matcher.isOver) break;
  }
  return meant;
}

/** The strongest last, and of each property only that one. What is important stays so: it beats what the element says itself. */
function* styleOf(rules: readonly StyleRule[]): SlicedWork<string> {
  const inOrder = rules.toSorted((a, b) => a.specificity - b.specificity);
  const kept = new Map<string, StyleDeclaration>();
  for (const { declarations } of inOrder) {
    for (const [index, one] of declarations.entries()) {
      if (index % DECLARATIONS_PER_STEP === DECLARATIONS_PER_STEP - 1) yield;
      if (kept.get(one.property)?.important && !one.important) continue;
      // Written again at the end: a short form must not undo what came after it.
      kept.delete(one.property);
      kept.set(one.property, one);
    }
    yield;
  }
  return [...kept.values()]
    .map(({ property, value, important }) => `${property}:${value}${important ? ' !important' : ''}`)
    .join(';');
}

function quoted(style: string, quote: '"' | "'"): string {
  const other = quote === '"' ? "'" : '"';
  const plain = style.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // CSS takes either kind.
  return plain.includes(other)
    ? plain.replaceAll(quote, quote === '"' ? '&quot;' : '&#39;')
    : plain.replaceAll(quote, other);
}

/** The same tree, with the insertions in its texts. Goes the way that the skeleton was made. */
class Writer {
  /** In the order of their places. */
  readonly #insertions: readonly (readonly [number, string])[];
  #next = 0;
  #at = 0;

  constructor(insertions: ReadonlyMap<number, string>) {
    this.#insertions = [...insertions].toSorted(([a], [b]) => a - b);
  }

  body({ nodes, params }: Body): Body {
    return { nodes: nodes.map((node) => this.#node(node)), params };
  }

  #node(node: Node): Node {
    if (node.kind === 'value') {
      this.#at += PLACEHOLDER.length;
      return node;
    }
    if (node.kind === 'text') return { ...node, text: this.#text(node.text) };
    const body = this.body(node.body);
    const otherwise = this.body(node.otherwise);
    return { ...node, body, otherwise };
  }

  #text(text: string): string {
    const start = this.#at;
    this.#at += text.length;
    let written = '';
    let from = 0;
    for (;;) {
      const [at, style] = this.#insertions[this.#next] ?? [Number.POSITIVE_INFINITY, ''];
      if (at > this.#at) return written + text.slice(from);
      written += text.slice(from, at - start) + style;
      from = at - start;
      this.#next += 1;
    }
  }
}
