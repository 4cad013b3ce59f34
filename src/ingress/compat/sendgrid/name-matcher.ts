/**
 * Finds names in a text, in time that grows with the text alone, however much the names have in common (Aho–Corasick). A
 * regular expression of the names compares each place of the text with every name.
 *
 * The text is read from its end, and so are the names: then the state at a place knows the longest name that begins there.
 */
import type { Turns } from '../../../runtime/turns.ts';

const ROOT = 0;
/** Characters that are read before the clock is looked at: a few milliseconds of work. */
const SLICE_CHARS = 32 * 1024;
const CODE_UNITS = 0x10000;

/** A state, and how it is reached. */
interface Added {
  readonly state: number;
  readonly parent: number;
  readonly char: number;
}

export class NameMatcher {
  /** From a state and a character to the next state. */
  readonly #next = new Map<number, number>();
  /** The state of the longest rest that begins a name as well, for where a character leads nowhere. */
  readonly #fallback: number[] = [ROOT];
  /** Length of the longest name that is complete in a state. */
  readonly #longest: number[] = [0];
  /** Whether a name ends with such a character: all others are passed over quickly. Two may share a place. */
  readonly #isEnd = new Uint8Array(256);

  /** None of the names may be empty. Together they are short: a state is a character of one of them. */
  constructor(names: Iterable<string>) {
    const levels: Added[][] = [];
    for (const name of names) this.#add(name, levels);
    for (const level of levels) for (const { state, parent, char } of level) this.#link(state, parent, char);
  }

  /** Of each place of the text, the length of the longest name that begins there; 0 where none does. */
  async lengthsIn(text: string, turns: Turns): Promise<Uint16Array> {
    const lengths = new Uint16Array(text.length);
    let state = ROOT;
    for (let until = text.length; until > 0; until -= SLICE_CHARS) {
      const from = Math.max(0, until - SLICE_CHARS);
      for (let at = until - 1; at >= from; at -= 1) {
        const char = text.charCodeAt(at);
        if (state === ROOT && this.#isEnd[char & 0xff] === 0) continue;
        state = this.#after(state, char);
        if (state !== ROOT) lengths[at] = this.#longest[state] as number;
      }
      if (turns.isOver) await turns.next();
    }
    return lengths;
  }

  #after(from: number, char: number): number {
    let state = from;
    for (;;) {
      const next = this.#next.get(state * CODE_UNITS + char);
      if (next !== undefined) return next;
      if (state === ROOT) return ROOT;
      state = this.#fallback[state] as number;
    }
  }

  #add(name: string, levels: Added[][]): void {
    this.#isEnd[name.charCodeAt(name.length - 1) & 0xff] = 1;
    let state = ROOT;
    for (let at = name.length - 1, depth = 0; at >= 0; at -= 1, depth += 1) {
      const char = name.charCodeAt(at);
      const parent = state;
      state = this.#next.get(parent * CODE_UNITS + char) ?? this.#longest.length;
      if (state < this.#longest.length) continue;
      this.#next.set(parent * CODE_UNITS + char, state);
      this.#longest.push(0);
      const level = levels[depth] ?? [];
      levels[depth] = level;
      level.push({ state, parent, char });
    }
    this.#longest[state] = name.length;
  }

  /** Level by level: what a state falls back to is shorter than it, and known by then. */
  #link(state: number, parent: number, char: number): void {
    const fallback = parent === ROOT ? ROOT : this.#after(this.#fallback[parent] as number, char);
    this.#fallback[state] = fallback;
    if (this.#longest[state] === 0) this.#longest[state] = this.#longest[fallback] as number;
  }
}
