/** Whether a selector means an element. Every comparison is counted: selectors can be made to take very long. */
import type { Selector } from 'css-what';
import type { StyledElement } from './elements.ts';

export class MatchBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** False when there are none left. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }

  get areOver(): boolean {
    return this.#left < 0;
  }
}

export function isMeant(element: StyledElement, selector: readonly Selector[], steps: MatchBudget): boolean {
  return matchesUpTo(element, selector, selector.length, steps);
}

/** The part of the selector that ends before `end`, read from its end. */
function matchesUpTo(
  element: StyledElement,
  selector: readonly Selector[],
  end: number,
  steps: MatchBudget,
): boolean {
  let at = end - 1;
  for (; at >= 0; at -= 1) {
    const token = selector[at] as Selector;
    if (token.type === 'descendant' || token.type === 'child') break;
    if (!steps.take() || !isLike(element, token)) return false;
  }
  if (at < 0) return true;
  const isChild = selector[at]?.type === 'child';
  for (let above = element.parent; above !== null; above = above.parent) {
    if (!steps.take()) return false;
    if (matchesUpTo(above, selector, at, steps)) return true;
    if (isChild) return false;
  }
  return false;
}

function isLike(element: StyledElement, token: Selector): boolean {
  if (token.type === 'universal') return true;
  if (token.type === 'tag') return element.name === token.name.toLowerCase();
  if (token.type !== 'attribute') return false;
  const value = element.attributes.get(token.name.toLowerCase());
  return value !== undefined && isAttributeLike(value, token.action, token.value);
}

function isAttributeLike(value: string, action: string, wanted: string): boolean {
  switch (action) {
    case 'exists':
      return true;
    case 'equals':
      return value === wanted;
    case 'element':
      return wanted !== '' && value.split(/\s+/).includes(wanted);
    case 'start':
      return wanted !== '' && value.startsWith(wanted);
    case 'end':
      return wanted !== '' && value.endsWith(wanted);
    case 'any':
      return wanted !== '' && value.includes(wanted);
    case 'hyphen':
      return value === wanted || value.startsWith(`${wanted}-`);
    default:
      return false;
  }
}
