/**
 * Whether a selector matches an element. Every comparison is counted, because hostile selectors can take very
 * long.
 */
import type { Selector } from 'css-what';
import type { StyledElement } from './elements.ts';
import { INLINING_LIMITS } from './limits.ts';

/** Characters of an attribute searched per step. */
const SEARCHED_CHARS = 64;

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
