/** Parses one tag in steps, from its name to behind its `>`: a tag may be as long as the whole HTML. */

export interface WantedTags {
  readonly names: ReadonlySet<string>;
  /** The attributes to record; others are skipped, because a tag may have millions. */
  readonly attributes: readonly string[];
}

export interface BeginTag {
  /** Lower case. */
  readonly name: string;
  /** By name. Of repeated attributes the first counts, as in browsers. */
  readonly attributes: ReadonlyMap<string, TagAttribute>;
}

export interface TagAttribute {
  /** Offset of the value without quotes; equals `end` without a value. */
  readonly start: number;
  readonly end: number;
}

const TAB = 0x09;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
/** Longer names have no meaning here. */
const LONGEST_NAME = 16;

type State = 'tag name' | 'between' | 'name' | 'behind name' | 'before value' | 'value' | 'done';

export class TagReader {
  readonly #html: string;
  readonly #wanted: WantedTags;
  #state: State = 'done';
  #at = 0;
  #isEnding = false;
  /** Offset of the current name or value. */
  #from = 0;
  /** The current attribute; null when it is not wanted. */
  #attributeName: string | null = null;
  #attributes: Map<string, TagAttribute> | null = null;
  #name = '';
  #end: number | null = null;

  constructor(html: string, wanted: WantedTags) {
    this.#html = html;
    this.#wanted = wanted;
  }

  begin(letterAt: number, isEnding: boolean): void {
    this.#state = 'tag name';
    this.#at = letterAt;
    this.#from = letterAt;
    this.#isEnding = isEnding;
    this.#attributes = null;
    this.#name = '';
    this.#end = null;
  }

  /** Lower case; empty for an end tag. */
  get name(): string {
    return this.#name;
  }

  /** Offset behind its `>`; null when there is none. */
  get end(): number | null {
    return this.#end;
  }

  /** Null when its name is not wanted, or when it never ends. */
  get wantedTag(): BeginTag | null {
    return this.#attributes === null || this.#end === null
      ? null
      : { name: this.#name, attributes: this.#attributes };
  }

  /** Reads about this many more characters. True when the tag, or the HTML, has ended. */
  advance(chars: number): boolean {
    const until = Math.min(this.#at + chars, this.#html.length);
    while (this.#at < until && this.#state !== 'done') this.#step(until);
    return this.#state === 'done' || this.#at >= this.#html.length;
  }

  #step(until: number): void {
    const state = this.#state;
    if (state === 'between') this.#readBetween(until);
    else if (state === 'name') this.#readName(until);
    else if (state === 'behind name') this.#readEquals(until);
    else if (state === 'before value') this.#beginValue(until);
    else if (state === 'value') this.#readUnquoted(until);
    else this.#readTagName(until);
  }

  #readTagName(until: number): void {
    const html = this.#html;
    let at = this.#at;
    while (at < until && !endsName(html.charCodeAt(at))) at += 1;
    this.#at = at;
    if (at === until) return;
    const isShort = at - this.#from <= LONGEST_NAME;
    this.#name = this.#isEnding || !isShort ? '' : html.slice(this.#from, at).toLowerCase();
    this.#attributes = this.#wanted.names.has(this.#name) ? new Map() : null;
    this.#state = 'between';
  }

  #readBetween(until: number): void {
    const html = this.#html;
    for (; this.#at < until; this.#at += 1) {
      const code = html.charCodeAt(this.#at);
      if (code === GREATER) {
        this.#end = this.#at + 1;
        this.#state = 'done';
        return;
      }
      if (code === SLASH || isSpace(code)) continue;
      this.#from = this.#at;
      // An equals sign at the beginning of a name is part of it.
      this.#at += 1;
      this.#state = 'name';
      return;
    }
  }

  #readName(until: number): void {
    const html = this.#html;
    let at = this.#at;
    while (at < until && html.charCodeAt(at) !== EQUALS && !endsName(html.charCodeAt(at))) at += 1;
    this.#at = at;
    if (at === until) return;
    if (this.#attributes !== null) this.#attributeName = this.#wantedName(this.#from, at);
    this.#from = at;
    this.#state = 'behind name';
  }

  /** An attribute without an equals sign has no value. */
  #readEquals(until: number): void {
    if (!this.#pastSpace(until)) return;
    const hasValue = this.#html.charCodeAt(this.#at) === EQUALS;
    if (hasValue) this.#at += 1;
    else this.#note(this.#from, this.#from);
    this.#state = hasValue ? 'before value' : 'between';
  }

  #beginValue(until: number): void {
    if (!this.#pastSpace(until)) return;
    const quote = this.#html.charCodeAt(this.#at);
    this.#from = this.#at;
    this.#state = 'value';
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) this.#readQuoted(quote);
  }

  #readQuoted(quote: number): void {
    const start = this.#from + 1;
    const end = this.#html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start);
    if (end === -1) {
      this.#at = this.#html.length;
      return;
    }
    this.#note(start, end);
    this.#at = end + 1;
    this.#state = 'between';
  }

  #readUnquoted(until: number): void {
    const html = this.#html;
    let at = this.#at;
    while (at < until && html.charCodeAt(at) !== GREATER && !isSpace(html.charCodeAt(at))) at += 1;
    this.#at = at;
    if (at === until) return;
    this.#note(this.#from, at);
    this.#state = 'between';
  }

  /** False when only space follows. */
  #pastSpace(until: number): boolean {
    const html = this.#html;
    while (this.#at < until && isSpace(html.charCodeAt(this.#at))) this.#at += 1;
    return this.#at < until;
  }

  /** Compares only names of the right length, because a name may be as long as the HTML. */
  #wantedName(start: number, end: number): string | null {
    const found = this.#wanted.attributes.find(
      (name) => name.length === end - start && this.#html.slice(start, end).toLowerCase() === name,
    );
    return found ?? null;
  }

  #note(start: number, end: number): void {
    const name = this.#attributeName;
    if (name !== null && this.#attributes?.has(name) === false) this.#attributes.set(name, { start, end });
  }
}

export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** Characters that end the name of a tag or an attribute. */
export function endsName(code: number): boolean {
  return code === GREATER || code === SLASH || isSpace(code);
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= 0x0d && code !== 0x0b);
}
