/**
 * Chooses which names get counters of their own. Tags may contain any text, even order numbers, and the number of
 * counters must not grow with mail: names beyond the first MAX_NAMES of an hour are counted together. Owns the names
 * of the current hour. Each process has its own, so only the size of a table depends on them.
 */
const MAX_NAMES = 50;
const MAX_IN_ALL = 20_000;
/** Longer texts are unlikely to be names. */
const MAX_CHARS = 200;

export const OTHERS = '';

export class CountedNames {
  #hour = 0;
  #all = 0;
  readonly #names = new Map<string, Set<string>>();

  /** The name, or OTHERS. `list`: the organization and dimension that share one bound. */
  named(hour: number, list: string, name: string): string {
    if (hour > this.#hour) this.#begin(hour);
    const names = this.#names.get(list);
    if (names?.has(name)) return name;
    const size = names?.size ?? 0;
    if (size >= MAX_NAMES || this.#all >= MAX_IN_ALL || name.length > MAX_CHARS) return OTHERS;
    if (names === undefined) this.#names.set(list, new Set([name]));
    else names.add(name);
    this.#all += 1;
    return name;
  }

  #begin(hour: number): void {
    this.#hour = hour;
    this.#all = 0;
    this.#names.clear();
  }
}
