/** How pages are indexed and asked for. The browser has to ask as the index was made, so both take it from here. */
import type { Options } from 'minisearch';

/** A part of a page: what is below one of its headings. */
export interface Passage {
  /** Its address below the base. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly section: string;
  readonly excerpt: string;
  readonly weight: number;
  readonly text: string;
}

export const SEARCH_OPTIONS: Options<Passage> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'section', 'excerpt', 'weight'],
  searchOptions: {
    boost: { title: 4, heading: 3 },
    prefix: (term) => term.length > 1,
    // Names of settings and codes are looked for as they are; longer words are also mistyped.
    fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
    combineWith: 'AND',
    boostDocument: (_id, _term, stored) => Number(stored?.weight ?? 1),
  },
};
