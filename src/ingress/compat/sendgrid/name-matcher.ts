/**
 * Finds names in a text in time linear in the text's length (Aho–Corasick). A regular expression would
 * compare every position with every name.
 *
 * The text and the names are read backwards, so that the state at a position gives the longest name that
 * begins there.
 */
import type { Turns } from '../../../runtime/turns.ts';

const ROOT = 0;
/** Characters read between two checks of the clock: a few milliseconds. */
const SLICE_CHARS = 32 * 1024;
const CODE_UNITS = 0x10000;

/** A new state with its parent and character. */
interface Added {
  readonly state: number;
  readonly parent: number;
  readonly char: number;
}

export class NameMatcher {
  /** Transitions by state and character. */
  readonly #next = new Map<number, number>();
  /** For each state, the state of its longest suffix that begins a name. Used when there is no transition. */
  readonly #fallback: number[] = [ROOT];
  /** Length of the longest name that is complete in a state. */
  readonly #longest: number[] = [0];
  /**
   * Marks the last characters of names, so that other characters are skipped quickly. Two characters may
   * share an entry.
   */
  readonly #isEnd = new Uint8Array(256);

  /** Names must not be empty. Their total length must be small: each character takes a state. */
  constructor(names: Iterable<string>) {
    const levels: Added[][] = [];
    for (const name of names) this.#add(name, levels);
    for (const level of levels) for (const { state, parent, char } of level) this.#link(state, parent, char);
  }

  /** For each position of the text, the length of the longest name that begins there, or 0. */
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

  /** Links states level by level, because a fallback is always shorter and so already linked. */
  #link(state: number, parent: number, char: number): void {
    const fallback = parent === ROOT ? ROOT : this.#after(this.#fallback[parent] as number, char);
    this.#fallback[state] = fallback;
    if (this.#longest[state] === 0) this.#longest[state] = this.#longest[fallback] as number;
  }
}
