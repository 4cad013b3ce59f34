/**
 * Inlines style sheets into the matching elements, for mail clients without style sheet support.
 *
 * Works on the checked tree before rendering: once per version, never per mail. Blocks are processed with all
 * their branches, and each template tag becomes a character that no selector matches. Sheets stay in place,
 * because rules that depend on the reader (`@media`, `:hover`) only work there.
 */

import type { Selector } from 'css-what';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import type { Body, Node } from '../tree.ts';
import { rulesOf, type StyleDeclaration, type StyleRule } from './css-rules.ts';
import { readElements, type StyledElement } from './elements.ts';
import { INLINING_LIMITS, PLACEHOLDER } from './limits.ts';

export type Inlined =
  | { readonly ok: true; readonly body: Body }
  /** The limit that was exceeded. */
  | { readonly ok: false; readonly message: string };

const TOO_MUCH =
  'has too much CSS, or too many elements, to be written into them: leave out inline_css, or make it smaller';

const RULES_PER_STEP = 50;
const DECLARATIONS_PER_STEP = 500;

/** Elements that are not displayed themselves, so that a style has no use in them. */
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

/** The whole text, with all branches one after the other. */
function skeletonOf({ nodes }: Body): string {
  return nodes.map(textOf).join('');
}

function textOf(node: Node): string {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'value') return PLACEHOLDER;
  return skeletonOf(node.body) + skeletonOf(node.otherwise);
}

/** The insertions by position; null when a limit is exceeded. */
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

/**
 * Keeps the strongest declaration of each property, strongest last. `!important` is kept, because it
 * overrides the element's own style.
 */
function* styleOf(rules: readonly StyleRule[]): SlicedWork<string> {
  const inOrder = rules.toSorted((a, b) => a.specificity - b.specificity);
  const kept = new Map<string, StyleDeclaration>();
  for (const { declarations } of inOrder) {
    for (const [index, one] of declarations.entries()) {
      if (index % DECLARATIONS_PER_STEP === DECLARATIONS_PER_STEP - 1) yield;
      if (kept.get(one.property)?.important && !one.important) continue;
      // Moved to the end, so that a shorthand does not undo a later declaration.
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
  // CSS accepts both quotes.
  return plain.includes(other)
    ? plain.replaceAll(quote, quote === '"' ? '&quot;' : '&#39;')
    : plain.replaceAll(quote, other);
}

/** Copies the tree with the insertions in its texts, in the order of the skeleton. */
class Writer {
  /** Ordered by position. */
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

/** Characters of an attribute searched per step. */
const SEARCHED_CHARS = 64;

/**
 * Whether a selector matches an element. Every comparison is counted, because hostile selectors can take very
 * long.
 */
export class Matcher {
  #stepsLeft: number = INLINING_LIMITS.steps;
  /**
   * Words by attribute value, such as `class`: most values occur on many elements and are compared with many
   * selectors.
   */
  readonly #words = new Map<string, ReadonlySet<string>>();

  /** The comparison limit was exceeded, so further results are meaningless. */
  get isOver(): boolean {
    return this.#stepsLeft < 0;
  }

  isMeant(element: StyledElement, selector: readonly Selector[]): boolean {
    return this.#matchesUpTo(element, selector, selector.length);
  }

  /** Matches the part of the selector before `end`, from right to left. */
  #matchesUpTo(element: StyledElement, selector: readonly Selector[], end: number): boolean {
    let at = end - 1;
    for (; at >= 0; at -= 1) {
      const token = selector[at] as Selector;
      if (token.type === 'descendant' || token.type === 'child') break;
      if (!this.#take(1) || !this.#isLike(element, token)) return false;
    }
    if (at < 0) return true;
    const isChild = selector[at]?.type === 'child';
    for (let above = element.parent; above !== null; above = above.parent) {
      if (!this.#take(1)) return false;
      if (this.#matchesUpTo(above, selector, at)) return true;
      if (isChild) return false;
    }
    return false;
  }

  #isLike(element: StyledElement, token: Selector): boolean {
    if (token.type === 'universal') return true;
    if (token.type === 'tag') return element.name === token.name.toLowerCase();
    if (token.type !== 'attribute') return false;
    const value = element.attributes.get(token.name.toLowerCase());
    if (value === undefined) return false;
    if (token.action !== 'element') return this.#isAttributeLike(value, token.action, token.value);
    return token.value !== '' && this.#wordsOf(value).has(token.value);
  }

  #isAttributeLike(value: string, action: string, wanted: string): boolean {
    switch (action) {
      case 'exists':
        return true;
      case 'equals':
        return value === wanted;
      case 'start':
        return wanted !== '' && value.startsWith(wanted);
      case 'end':
        return wanted !== '' && value.endsWith(wanted);
      case 'any':
        return (
          wanted !== '' && this.#take(Math.floor(value.length / SEARCHED_CHARS)) && value.includes(wanted)
        );
      case 'hyphen':
        return value === wanted || value.startsWith(`${wanted}-`);
      default:
        return false;
    }
  }

  #wordsOf(value: string): ReadonlySet<string> {
    const known = this.#words.get(value);
    if (known !== undefined) return known;
    if (value.length > INLINING_LIMITS.attributeWords) this.#stepsLeft = -1;
    const words = new Set(this.isOver ? [] : value.split(/\s+/));
    this.#words.set(value, words);
    return words;
  }

  /** False when no steps are left. */
  #take(steps: number): boolean {
    this.#stepsLeft -= steps;
    return this.#stepsLeft >= 0;
  }
}
