/**
 * Which names are counted apart. Tags may hold anything, an order number too, and counters must not grow with mail: what
 * is one name too many within an hour is counted with the others that are. It owns the names of the current hour; other
 * processes have their own, and nothing but the size of a table depends on it.
 */
const MAX_NAMES = 50;
const MAX_IN_ALL = 20_000;
/** Longer ones are nobody's name for something. */
const MAX_CHARS = 200;

export const OTHERS = '';

export class CountedNames {
  #hour = 0;
  #all = 0;
  readonly #names = new Map<string, Set<string>>();

  /** The name, or OTHERS. `list` is what the names are bounded for: an organization and a dimension. */
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
