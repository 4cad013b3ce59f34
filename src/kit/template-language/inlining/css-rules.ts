/** The rules of a style sheet that can be written into elements, and how strong each is. What only a style sheet can say stays there. */
import { parse as parseSelector, type Selector } from 'css-what';
import postcss, { type Declaration, type Rule } from 'postcss';
import { INLINING_LIMITS, PLACEHOLDER } from './limits.ts';

export interface StyleRule {
  /** From left to right, with combinators between. */
  readonly selector: readonly Selector[];
  readonly specificity: number;
  readonly declarations: readonly StyleDeclaration[];
}

export interface StyleDeclaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

/** Null where there are too many. A sheet that cannot be read has none: it stays as it is, for browsers to make the best of. */
export function rulesOf(sheets: readonly string[]): readonly StyleRule[] | null {
  const rules: StyleRule[] = [];
  for (const sheet of sheets) {
    for (const rule of topRules(sheet)) {
      rules.push(...rulesIn(rule));
      if (rules.length > INLINING_LIMITS.selectors) return null;
    }
  }
  return rules;
}

/** Those inside `@media` and the like depend on the reader. */
function topRules(sheet: string): Rule[] {
  try {
    return postcss.parse(sheet).nodes.filter((node) => node.type === 'rule');
  } catch {
    return [];
  }
}

function rulesIn(rule: Rule): StyleRule[] {
  const declarations = rule.nodes
    .filter((node): node is Declaration => node.type === 'decl')
    // What the template fills in is known only when it is rendered.
    .filter(({ prop, value }) => !prop.startsWith('--') && !(prop + value).includes(PLACEHOLDER))
    .map(({ prop, value, important }) => ({
      property: prop.toLowerCase(),
      value: value.replaceAll(/\s+/g, ' ').trim(),
      important: important === true,
    }));
  if (declarations.length === 0) return [];
  return selectorsOf(rule.selector).map((selector) => ({
    selector,
    specificity: specificityOf(selector),
    declarations,
  }));
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

/** What an element is, and not what somebody does with it. */
function isPlain(token: Selector): boolean {
  if (token.type === 'attribute') return ACTIONS.has(token.action) && !token.value.includes(PLACEHOLDER);
  return token.type === 'tag' || token.type === 'universal' || COMBINATORS.has(token.type);
}

function isShort(selector: readonly Selector[]): boolean {
  return selector.length <= INLINING_LIMITS.tokens;
}

/** As CSS counts: ids, then classes and attributes, then names. */
function specificityOf(selector: readonly Selector[]): number {
  return selector.reduce((sum, token) => {
    if (token.type === 'tag') return sum + 1;
    if (token.type !== 'attribute') return sum;
    return sum + (token.name === 'id' && token.ignoreCase === 'quirks' ? 10_000 : 100);
  }, 0);
}
