/**
 * All phrases of the tables, found together. Thousands of phrases are compared with every refusal, and nearly all of them
 * have a word that the refusal lacks: so each is filed under the word that the fewest others have, and looked at only
 * where that is said.
 */
import { type Phrase, phrase, says, type Words } from './words.ts';

interface Numbered {
  readonly number: number;
  readonly phrase: Phrase;
}

export class PhraseBook {
  readonly #numbers = new Map<string, number>();
  readonly #phrases: Phrase[] = [];
  #filed: ReadonlyMap<string, readonly Numbered[]> | null = null;

  /** The number of a phrase; the same one has the same number. */
  enter(written: string): number {
    const known = this.#numbers.get(written);
    if (known !== undefined) return known;
    const number = this.#phrases.length;
    this.#numbers.set(written, number);
    this.#phrases.push(phrase(written));
    this.#filed = null;
    return number;
  }

  /** The numbers of all phrases that are said. */
  saidIn(words: Words): ReadonlySet<number> {
    this.#filed ??= file(this.#phrases);
    const said = new Set<number>();
    for (const word of words.known) {
      for (const one of this.#filed.get(word) ?? []) {
        if (says(words, one.phrase)) said.add(one.number);
      }
    }
    return said;
  }
}

function file(phrases: readonly Phrase[]): ReadonlyMap<string, readonly Numbered[]> {
  const uses = new Map<string, number>();
  for (const { parts } of phrases) {
    for (const word of parts.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  const filed = new Map<string, Numbered[]>();
  for (const [number, one] of phrases.entries()) {
    const rarest = one.parts
      .flat()
      .reduce((best, word) => ((uses.get(word) ?? 0) < (uses.get(best) ?? 0) ? word : best));
    const page = filed.get(rarest) ?? [];
    page.push({ number, phrase: one });
    filed.set(rarest, page);
  }
  return filed;
}
