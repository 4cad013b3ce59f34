/** What inlining may cost. It is done when a template is compiled, for every version once. */

/** Stands for what is filled in: a character that no text has. */
export const PLACEHOLDER = '\uE000';

export const INLINING_LIMITS = {
  /** Characters of all style sheets together. */
  css: 256 * 1024,
  /** The parser takes quadratic time for one declaration, so its characters times its tokens are limited: about 10 ms. */
  statement: 32 * 1024 * 1024,
  selectors: 500,
  /** Characters of the selectors of one rule: about 10 ms to parse. */
  selectorChars: 16 * 1024,
  /** Of one selector: names, classes and what is between them. */
  tokens: 20,
  elements: 3_000,
  depth: 100,
  /** Comparisons of an element with a part of a selector: about 30 ms. */
  steps: 300_000,
  /** Characters of an attribute whose words are compared with a selector, as those of `class` are. */
  attributeWords: 64 * 1024,
  /** Declarations of rules that mean an element, counted for each element. */
  declarations: 200_000,
  /** What is written into elements, all together. */
  chars: 256 * 1024,
} as const;
