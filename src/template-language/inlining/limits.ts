/** Limits for inlining, which runs once per version when a template is compiled. */

/** Stands for a template tag: a private-use character that texts do not contain. */
export const PLACEHOLDER = '\uE000';

export const INLINING_LIMITS = {
  /** Characters of all style sheets together. */
  css: 256 * 1024,
  /**
   * Parsing one declaration takes quadratic time, so its characters times its tokens are limited: about 10
   * ms.
   */
  statement: 32 * 1024 * 1024,
  selectors: 500,
  /** Characters of the selectors of one rule: about 10 ms to parse. */
  selectorChars: 16 * 1024,
  /** Per selector: names, classes and combinators. */
  tokens: 20,
  elements: 3_000,
  depth: 100,
  /** Comparisons of an element with part of a selector: about 30 ms. */
  steps: 300_000,
  /** Characters of an attribute that is compared word by word, such as `class`. */
  attributeWords: 64 * 1024,
  /** Declarations of matching rules, counted for each element. */
  declarations: 200_000,
  /** Total size of the inserted styles. */
  chars: 256 * 1024,
} as const;
