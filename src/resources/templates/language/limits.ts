/** What a template may cost. Everything here is checked before or while the work is done, never after. */

/** For one part (subject, html or text) when it is saved. */
export const PART_LIMITS = {
  bytes: 256 * 1024,
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

/** For one render of one part. */
export const RENDER_LIMITS = {
  iterations: 10_000,
  itemsPerLoop: 1000,
  steps: 200_000,
  outputBytes: { subject: 998, html: 1024 * 1024, text: 256 * 1024 },
} as const;

/** For the data of one render. */
export const DATA_LIMITS = { bytes: 256 * 1024, depth: 10 } as const;
