/** The rules of a style sheet that can be inlined, with their specificity. Other rules stay in the sheet. */
import { parse as parseSelector, type Selector } from 'css-what';
import type { ChildNode, Rule } from 'postcss';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { INLINING_LIMITS, PLACEHOLDER } from './limits.ts';
import { parseSheet, StatementTooLong } from './sheet-parser.ts';

export interface StyleRule {
  /** From left to right, with combinators in between. */
  readonly selector: readonly Selector[];
  readonly specificity: number;
  readonly declarations: readonly StyleDeclaration[];
}

export interface StyleDeclaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

const DECLARATIONS_PER_STEP = 200;

/** Null when there are too many. An unparseable sheet has no rules and stays as it is for browsers. */
export function* rulesOf(sheets: readonly string[]): SlicedWork<readonly StyleRule[] | null> {
  if (sheets.reduce((sum, { length }) => sum + length, 0) > INLINING_LIMITS.css) return null;
  const rules: StyleRule[] = [];
  for (const sheet of sheets) {
    const found = yield* topRules(sheet);
    if (found === null) return null;
    for (const rule of found) {
      if (rule.selector.length > INLINING_LIMITS.selectorChars) return null;
      rules.push(...(yield* rulesIn(rule)));
      if (rules.length > INLINING_LIMITS.selectors) return null;
      yield;
    }
  }
  return rules;
}

/**
 * Omits rules inside `@media` and the like, which depend on the reader. Null when a statement is too long.
 */
function* topRules(sheet: string): SlicedWork<Rule[] | null> {
  try {
    const { nodes } = yield* parseSheet(sheet);
    return nodes.filter((node) => node.type === 'rule');
  } catch (error) {
    return error instanceof StatementTooLong ? null : [];
  }
}

function* rulesIn(rule: Rule): SlicedWork<StyleRule[]> {
  const declarations: StyleDeclaration[] = [];
  for (const [index, node] of rule.nodes.entries()) {
    const declaration = declarationOf(node);
    if (declaration !== null) declarations.push(declaration);
    if (index % DECLARATIONS_PER_STEP === DECLARATIONS_PER_STEP - 1) yield;
  }
  if (declarations.length === 0) return [];
  return selectorsOf(rule.selector).map((selector) => ({
    selector,
    specificity: specificityOf(selector),
    declarations,
  }));
}

/**
 * Null for other nodes, and for declarations with template tags, whose values are unknown before rendering.
 */
function declarationOf(node: ChildNode): StyleDeclaration | null {
  if (node.type !== 'decl') return null;
  const { prop, value, important } = node;
  if (prop.startsWith('--') || prop.includes(PLACEHOLDER) || value.includes(PLACEHOLDER)) return null;
  return {
    property: prop.toLowerCase(),
    value: value.replaceAll(/\s+/g, ' ').trim(),
    important: important === true,
  };
}

function selectorsOf(text: string): Selector[][] {
  try {
    return parseSelector(text).filter((selector) => selector.every(isPlain) && isShort(selector));
  } catch {
    return [];
  }
}

const COMBINATORS = new Set(['descendant', 'child']);
const ACTIONS = new Set(['equals', 'element', 'exists', 'start', 'end', 'any', 'hyphen']);

/** Whether a selector describes the element itself and not a user's interaction. */
function isPlain(token: Selector): boolean {
  if (token.type === 'attribute') return ACTIONS.has(token.action) && !token.value.includes(PLACEHOLDER);
  return token.type === 'tag' || token.type === 'universal' || COMBINATORS.has(token.type);
}

function isShort(selector: readonly Selector[]): boolean {
  return selector.length <= INLINING_LIMITS.tokens;
}

/** CSS specificity: ids, then classes and attributes, then element names. */
function specificityOf(selector: readonly Selector[]): number {
  return selector.reduce((sum, token) => {
    if (token.type === 'tag') return sum + 1;
    if (token.type !== 'attribute') return sum;
    return sum + (token.name === 'id' && token.ignoreCase === 'quirks' ? 10_000 : 100);
  }, 0);
}
