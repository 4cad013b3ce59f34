/**
 * All phrases of the tables, found together. Thousands of phrases are compared with every refusal, and nearly all of them
 * have a word that the refusal lacks: so each is filed under its longest word, and looked at only where that is said.
 */
import { type Phrase, phrase, says, type Words } from './words.ts';

export class PhraseBook {
  readonly #numbers = new Map<string, number>();
  readonly #filed = new Map<string, { readonly number: number; readonly phrase: Phrase }[]>();

  /** The number of a phrase; the same one has the same number. */
  enter(written: string): number {
    const known = this.#numbers.get(written);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(written, number);
    const taken = phrase(written);
    const longest = taken.parts.flat().reduce((one, other) => (other.length > one.length ? other : one), '');
    const file = this.#filed.get(longest) ?? [];
    file.push({ number, phrase: taken });
    this.#filed.set(longest, file);
    return number;
  }

  /** The numbers of all phrases that are said. */
  saidIn(words: Words): ReadonlySet<number> {
    const said = new Set<number>();
    for (const word of words.known) {
      for (const one of this.#filed.get(word) ?? []) {
        if (says(words, one.phrase)) said.add(one.number);
      }
    }
    return said;
  }
}
