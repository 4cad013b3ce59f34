/** What inlining may cost. It is done when a template is compiled, for every version once. */

/** Stands for what is filled in: a character that no text has. */
export const PLACEHOLDER = '\uE000';

export const INLINING_LIMITS = {
  selectors: 500,
  /** Of one selector: names, classes and what is between them. */
  tokens: 20,
  elements: 3_000,
  depth: 100,
  /** Comparisons of an element with a part of a selector: about 30 ms. */
  steps: 300_000,
  /** What is written into elements, all together. */
  chars: 256 * 1024,
} as const;
