/**
 * Reads the small part of XML that DMARC reports are written in: elements and text. Strangers write them, so there is no
 * document type, no entity but the five and characters by number, and nothing is ever fetched. One walk over the text: the
 * time it takes grows with its length, whatever it holds. Attributes are passed over, and prefixes of names dropped.
 */
export interface XmlHandler {
  /** The names from the root down, joined with slashes. */
  readonly open: (path: string) => void;
  /** `text`: what stood between its last tag and its end. */
  readonly close: (path: string, text: string) => void;
}

const MAX_DEPTH = 16;
const MAX_ELEMENTS = 1_000_000;
const MAX_TAG_CHARS = 2_048;
const MAX_TEXT_CHARS = 4_096;
const NAME = /^[A-Za-z_][\w.-]{0,99}$/;

/** What is wrong with it; null when it was read to its end. */
export function readXml(text: string, handler: XmlHandler): string | null {
  try {
    new XmlWalk(text, handler).run();
    return null;
  } catch (error) {
    if (error instanceof XmlProblem) return error.message;
    throw error;
  }
}

class XmlProblem extends Error {}

class XmlWalk {
  readonly #source: string;
  readonly #handler: XmlHandler;
  readonly #paths: string[] = [];
  readonly #names: string[] = [];
  #at = 0;
  #value = '';
  #elements = 0;

  constructor(source: string, handler: XmlHandler) {
    this.#source = source;
    this.#handler = handler;
  }

  run(): void {
    while (this.#at < this.#source.length) {
      const tag = this.#source.indexOf('<', this.#at);
      this.#text(tag < 0 ? this.#source.length : tag);
      if (tag >= 0) this.#markup(tag);
    }
    if (this.#names.length > 0) throw new XmlProblem('The XML ends in the middle.');
    if (this.#elements === 0) throw new XmlProblem('There is no XML in it.');
  }

  #text(end: number): void {
    const start = this.#at;
    this.#at = end;
    if (end === start) return;
    if (this.#names.length > 0) this.#add(end - start, () => decodeEntities(this.#source.slice(start, end)));
    else if (/[^\s\ufeff]/.test(this.#source.slice(start, end))) {
      throw new XmlProblem('There is text outside of the XML.');
    }
  }

  #add(length: number, read: () => string): void {
    if (this.#value.length + length > MAX_TEXT_CHARS) throw new XmlProblem('A value in the XML is too long.');
    this.#value += read();
  }

  #markup(start: number): void {
    const { [start + 1]: next } = this.#source;
    if (next === '?') this.#at = this.#after('?>', start);
    else if (next === '/') this.#end(start);
    else if (next !== '!') this.#begin(start);
    else if (this.#source.startsWith('<!--', start)) this.#at = this.#after('-->', start + 4);
    else if (this.#source.startsWith('<![CDATA[', start)) this.#cdata(start + 9);
    else throw new XmlProblem('The XML has a document type, which no report needs.');
  }

  #cdata(start: number): void {
    this.#at = this.#after(']]>', start);
    const end = this.#at - 3;
    if (this.#names.length > 0) this.#add(end - start, () => this.#source.slice(start, end));
  }

  #begin(start: number): void {
    const end = this.#endOfTag(start);
    const isEmpty = this.#source[end - 1] === '/';
    const name = nameIn(this.#source.slice(start + 1, isEmpty ? end - 1 : end));
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) throw new XmlProblem('The XML has too many elements.');
    if (this.#names.length === 0 && this.#elements > 1) throw new XmlProblem('The XML has two roots.');
    if (this.#names.length >= MAX_DEPTH) throw new XmlProblem('The XML is nested too deep.');
    const above = this.#paths.at(-1);
    const path = above === undefined ? name.local : `${above}/${name.local}`;
    this.#names.push(name.whole);
    this.#paths.push(path);
    this.#value = '';
    this.#at = end + 1;
    this.#handler.open(path);
    if (isEmpty) this.#leave();
  }

  #end(start: number): void {
    const end = this.#endOfTag(start);
    const name = this.#source.slice(start + 2, end).trimEnd();
    if (name !== this.#names.at(-1)) throw new XmlProblem('The tags of the XML do not match.');
    this.#at = end + 1;
    this.#leave();
  }

  #leave(): void {
    this.#names.pop();
    const path = this.#paths.pop() as string;
    const text = this.#value.trim();
    this.#value = '';
    this.#handler.close(path, text);
  }

  /** Its `>`, which may stand in the value of an attribute as well. */
  #endOfTag(start: number): number {
    let quote = '';
    const last = Math.min(this.#source.length, start + MAX_TAG_CHARS);
    for (let i = start + 1; i < last; i += 1) {
      const char = this.#source[i] as string;
      if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === '>') return i;
      else if (char === '<') break;
    }
    throw new XmlProblem('A tag of the XML has no end, or is too long.');
  }

  #after(what: string, from: number): number {
    const found = this.#source.indexOf(what, from);
    if (found < 0) throw new XmlProblem('The XML ends in the middle.');
    return found + what.length;
  }
}

function nameIn(tag: string): { readonly whole: string; readonly local: string } {
  const space = tag.search(/\s/);
  const whole = space < 0 ? tag : tag.slice(0, space);
  const local = whole.slice(whole.indexOf(':') + 1);
  if (!NAME.test(local)) throw new XmlProblem('A tag of the XML has no valid name.');
  return { whole, local };
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** A lone `&` is one: some write it so. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([A-Za-z][\w.-]{0,30}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});/g, (_, name: string) => {
    const known = name.startsWith('#') ? byNumber(name) : ENTITIES.get(name);
    if (known === undefined) throw new XmlProblem('The XML has an entity that XML does not define.');
    return known;
  });
}

function byNumber(name: string): string {
  const code = name.startsWith('#x')
    ? Number.parseInt(name.slice(2), 16)
    : Number.parseInt(name.slice(1), 10);
  const isText = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isText ? String.fromCodePoint(code) : ' ';
}
