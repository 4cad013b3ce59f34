/**
 * An index of all phrases of the tables. Nearly all of the thousands of phrases have a word that a given refusal lacks, so
 * each phrase is indexed by its rarest word and compared only where the refusal has that word. A phrase is parsed at its
 * first comparison, because most are never compared.
 */
import { comparedWords, type Phrase, phrase, says, type Words } from './words.ts';

export class PhraseBook {
  readonly #numbers = new Map<string, number>();
  readonly #written: string[] = [];
  readonly #phrases: (Phrase | undefined)[] = [];
  #filed: ReadonlyMap<string, readonly number[]> | null = null;

  /** The number of a phrase; the same one has the same number. */
  enter(written: string): number {
    const known = this.#numbers.get(written);
    if (known !== undefined) return known;
    const number = this.#written.length;
    this.#numbers.set(written, number);
    this.#written.push(written);
    this.#filed = null;
    return number;
  }

  /** The numbers of all phrases that are said. */
  saidIn(words: Words): ReadonlySet<number> {
    this.#filed ??= file(this.#written);
    const said = new Set<number>();
    for (const word of words.known) {
      for (const number of this.#filed.get(word) ?? []) {
        if (says(words, this.#phrase(number))) said.add(number);
      }
    }
    return said;
  }

  #phrase(number: number): Phrase {
    const known = this.#phrases[number];
    if (known !== undefined) return known;
    const made = phrase(this.#written[number] as string);
    this.#phrases[number] = made;
    return made;
  }
}

/** A word as the tables write it, how many phrases have it, and the numbers of the phrases filed under it. */
interface Page {
  readonly word: string | undefined;
  uses: number;
  readonly numbers: number[];
}

function file(phrases: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const pages = new Map<string, Page>();
  const pagesOf = phrases.map((written) => countWords(written, pages));
  for (const [number, used] of pagesOf.entries()) {
    used.reduce((best, page) => (page.uses < best.uses ? page : best)).numbers.push(number);
  }
  const filed = new Map<string, number[]>();
  for (const { word, numbers } of pages.values()) {
    if (word !== undefined) filed.set(word, [...(filed.get(word) ?? []), ...numbers]);
  }
  return filed;
}

function countWords(phrase: string, pages: Map<string, Page>): readonly Page[] {
  const used: Page[] = [];
  for (const written of phrase.split(' ')) {
    let page = pages.get(written);
    if (page === undefined) {
      const word = comparedWords(written)[0];
      // A word that says nothing is never looked up.
      page = { word, uses: word === undefined ? Number.POSITIVE_INFINITY : 0, numbers: [] };
      pages.set(written, page);
    }
    page.uses += 1;
    used.push(page);
  }
  return used;
}
