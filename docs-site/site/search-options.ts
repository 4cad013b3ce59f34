/** How pages are indexed and searched. The browser has to read words as the index did, so both take it from here. */
import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

/** A part of a page: what is below one of its headings. */
export interface Passage {
  /** Its address below the base. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  /** What readers type for it; see `SEARCH_WORDS`. */
  readonly words: string;
  readonly section: string;
  readonly excerpt: string;
  readonly weight: number;
  readonly text: string;
}

const MAX_RESULTS = 20;
const MAX_RESULTS_OF_PAGE = 2;
/** A passage with less than this share of what the best one has matched by chance. */
const LEAST_SHARE = 0.1;

/** Words of questions that say nothing about their subject. */
const NOISE = new Set(
  `a about after am an and any are as at be before but by can could did do does for from get give had has have how i if in into is it its
  me my need of on or our out should so some that the their them then there these they this to up use using want was we were
  what when where which who will with without would you your`.split(/\s+/),
);

export const SEARCH_OPTIONS: Options<Passage> = {
  fields: ['title', 'heading', 'words', 'text'],
  storeFields: ['title', 'heading', 'section', 'excerpt', 'weight'],
  processTerm: stem,
  searchOptions: {
    boost: { title: 4, heading: 3, words: 4 },
    prefix: (term) => term.length > 1,
    // Every page has the name of the product, so the name says little about the page that is wanted.
    boostTerm: (term) => (term === 'postrider' ? 0.1 : 1),
    // Numbers and short words are matched exactly; longer words may be mistyped.
    fuzzy: (term) => (term.length < 4 || /\d/.test(term) ? false : term.length < 7 ? 1 : 2),
    boostDocument: (_id, _term, stored) => Number(stored?.weight ?? 1),
  },
};

/** The best passages; those with more of the words come first. A page is there twice at most, so that it hides no other. */
export function search(index: MiniSearch, wanted: string): SearchResult[] {
  const results = index.search(wanted);
  const least = (results[0]?.score ?? 0) * LEAST_SHARE;
  const counts = new Map<string, number>();
  const isShown = ({ id, score }: SearchResult) => {
    const [page = ''] = String(id).split('#');
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    return score >= least && count <= MAX_RESULTS_OF_PAGE;
  };
  return results.filter(isShown).slice(0, MAX_RESULTS);
}

/** One form of each English word: "bounce", "bounced" and "bouncing" are all `bounc`, and "emails" are "mail". */
function stem(term: string): string | null {
  const word = term.toLowerCase();
  if (NOISE.has(word)) return null;
  if (word.length < 4 || /\d/.test(word)) return word;
  return word
    .replace(/^emails?$/, 'mail')
    .replace(/(?<=.{4})(?:ing|ed|es)$|(?<!s)s$/, '')
    .replace(/(?<=.{4})e$/, '')
    .replace(/(?<=.{3})y$/, 'i');
}
