/** The limits of a template. All are enforced before or during the work, never after. */

/** For one part (subject, html or text), when a template is saved. */
export const PART_LIMITS = {
  bytes: 256 * 1024,
  /** The parser splits every text into lines. */
  lines: 20_000,
  /**
   * The parser takes up to 40 µs per tag, and three times that before warm-up: this limits its time to about
   * 50 ms.
   */
  tags: 500,
  /** Names, dots, parentheses, quotes: the units of the parser. */
  tokens: 3500,
  /** Nested blocks and chains of `else if` take the parser more than linear time. */
  nesting: 20,
  chain: 50,
  parentheses: 5,
  /** The parser copies the rest of the template for each `[name]`. */
  bracketedNames: 100,
  pathSegments: 10,
  nameLength: 64,
  /** The tags of a broken template are parsed one by one to find every mistake, up to this number. */
  tagsReadAlone: 500,
  /** Errors listed in one response. */
  problems: 50,
} as const;

/**
 * For partials and layouts. Every use of a partial is checked and compiled separately, so the limits apply to
 * all uses together.
 */
export const PIECE_LIMITS = {
  /** Different partials and layouts of one template, each parsed once. */
  pieces: 20,
  /** Nesting of partials. */
  depth: 5,
  inclusions: 100,
  statements: 5000,
  chars: 1024 * 1024,
} as const;

/** For one render. Iterations and output are limited per part, steps and time for the whole mail. */
export const RENDER_LIMITS = {
  iterations: 10_000,
  itemsPerLoop: 1000,
  /** A step takes at most 50 ns, so all of them take about 10 ms (bench/hostile-templates.ts). */
  steps: 200_000,
  /** Wall-clock and processor time, far more than the steps take (budget.ts). */
  ms: 50,
  outputBytes: { subject: 998, html: 1024 * 1024, text: 256 * 1024 },
} as const;

/**
 * For the data of one render, including defaults. An object may have as many keys as a loop has iterations.
 */
export const DATA_LIMITS = { bytes: 256 * 1024, depth: 10, keys: 1000 } as const;

/** Values that a template's rules visit or copy in the data of one mail. */
export const RULE_LIMITS = { visits: 100_000, problems: 50 } as const;
