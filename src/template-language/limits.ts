/** What a template may cost. Everything here is checked before or while the work is done, never after. */

/** For one part (subject, html or text) when it is saved. */
export const PART_LIMITS = {
  bytes: 256 * 1024,
  /** The parser makes a list of the lines of every text. */
  lines: 20_000,
  /** The parser takes up to 40 µs for a tag, three times that before it is warm: this bounds its time to about 50 ms. */
  tags: 500,
  /** Names, dots, parentheses, quotes: what the parser reads one by one. */
  tokens: 3500,
  /** The parser takes more than linear time for nested blocks and for chains of `else if`. */
  nesting: 20,
  chain: 50,
  parentheses: 5,
  /** For each `[name]` the parser copies the rest of the template. */
  bracketedNames: 100,
  pathSegments: 10,
  nameLength: 64,
  /** When a template is broken, its tags are read one by one to find every mistake, up to here. */
  tagsReadAlone: 500,
  /** Errors listed in one answer. */
  problems: 50,
} as const;

/**
 * For what a part is put together with. Every mention of a partial is checked and compiled where it stands, so that they are
 * counted all together, not each by itself.
 */
export const PIECE_LIMITS = {
  /** Different partials and layouts of one template: each has to be parsed once. */
  pieces: 20,
  /** Partials in partials. */
  depth: 5,
  inclusions: 100,
  statements: 5000,
  chars: 1024 * 1024,
} as const;

/** For one render. Loops and output count for each part, steps and time for all of a mail together. */
export const RENDER_LIMITS = {
  iterations: 10_000,
  itemsPerLoop: 1000,
  /** A step is at most some 50 ns: all of them take about 10 ms, whatever they are spent on (bench/hostile-templates.ts). */
  steps: 200_000,
  /** Of the clock and of the processor; far more than the steps take (budget.ts). */
  ms: 50,
  outputBytes: { subject: 998, html: 1024 * 1024, text: 256 * 1024 },
} as const;

/** For the data of one render, with the defaults filled in. An object has as many keys as a loop may have items. */
export const DATA_LIMITS = { bytes: 256 * 1024, depth: 10, keys: 1000 } as const;

/** Values that the rules of a template look at or copy in the data of one mail. */
export const RULE_LIMITS = { visits: 100_000, problems: 50 } as const;
