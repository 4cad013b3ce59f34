/**
 * Reads the subset of XML that DMARC reports use: elements and text. The input is untrusted, so document types are refused, the
 * only entities are the five predefined ones and characters by number, and nothing is ever fetched. One pass over the text: the
 * time is linear in its length, whatever it contains. Attributes are skipped, and name prefixes are dropped.
 *
 * The text comes in pieces, and other work may run between them: a report may have 16 MB.
 */
import type { SlicedWork } from '../../runtime/sliced-work.ts';

/** Either method may throw an `XmlProblem`, which ends the reading. */
interface XmlHandler {
  /** The names from the root down, joined with slashes. */
  readonly open: (path: string) => void;
  /** `text`: the text between the element's last tag and its end. */
  readonly close: (path: string, text: string) => void;
}

const MAX_DEPTH = 16;
const MAX_ELEMENTS = 1_000_000;
const MAX_TAG_CHARS = 2_048;
const MAX_TEXT_CHARS = 4_096;
/** Tags and texts that are read in one go, which takes a millisecond. */
const STEPS_AT_ONCE = 1_000;
const NAME = /^[A-Za-z_][\w.-]{0,99}$/;

/** The problem, or null when the text was read to its end. */
export function* readingXml(pieces: Iterable<string>, handler: XmlHandler): SlicedWork<string | null> {
  try {
    const walk = new XmlWalk(handler);
    for (const piece of pieces) {
      yield* walk.take(piece);
      yield;
    }
    yield* walk.end();
    return null;
  } catch (error) {
    if (error instanceof XmlProblem) return error.message;
    throw error;
  }
}

/** Why the reading ended: a problem with the XML, or with its content. */
export class XmlProblem extends Error {}

class XmlWalk {
  readonly #handler: XmlHandler;
  readonly #paths: string[] = [];
  readonly #names: string[] = [];
  /** The unread text; more may follow unless it is the last piece. */
  #source = '';
  #at = 0;
  #isLast = false;
  /** The end mark of an open comment or instruction; null outside of one. */
  #skipsTo: string | null = null;
  #value = '';
  #elements = 0;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  *take(piece: string): SlicedWork<void> {
    this.#source = this.#source.slice(this.#at) + piece;
    this.#at = 0;
    let steps = 0;
    while (this.#at < this.#source.length && this.#step()) {
      steps += 1;
      if (steps % STEPS_AT_ONCE === 0) yield;
    }
  }

  *end(): SlicedWork<void> {
    this.#isLast = true;
    yield* this.take('');
    if (this.#names.length > 0 || this.#skipsTo !== null || this.#at < this.#source.length)
      throw new XmlProblem('The XML ends in the middle.');
    if (this.#elements === 0) throw new XmlProblem('There is no XML in it.');
  }

  /** False if the next text or tag is not complete yet. */
  #step(): boolean {
    if (this.#skipsTo !== null) return this.#skip(this.#skipsTo);
    const tag = this.#source.indexOf('<', this.#at);
    if (tag === this.#at) return this.#markup(tag);
    const end = tag < 0 ? this.#source.length : tag;
    // An incomplete text may end in the middle of an entity.
    if (tag < 0 && !this.#isLast && end - this.#at <= MAX_TEXT_CHARS) return false;
    this.#text(end);
    return true;
  }

  #skip(mark: string): boolean {
    const found = this.#source.indexOf(mark, this.#at);
    if (found >= 0) this.#skipsTo = null;
    // The mark may begin here and end in the next piece.
    this.#at = found < 0 ? Math.max(this.#at, this.#source.length - mark.length + 1) : found + mark.length;
    return found >= 0;
  }

  #text(end: number): void {
    const start = this.#at;
    this.#at = end;
    if (this.#names.length > 0) this.#add(end - start, () => decodeEntities(this.#source.slice(start, end)));
    else if (/[^\s\ufeff]/.test(this.#source.slice(start, end))) {
      throw new XmlProblem('There is text outside of the XML.');
    }
  }

  #add(length: number, read: () => string): void {
    if (this.#value.length + length > MAX_TEXT_CHARS) throw new XmlProblem('A value in the XML is too long.');
    this.#value += read();
  }

  #markup(start: number): boolean {
    // Waits for enough characters to recognise the construct.
    if (this.#source.length - start < CDATA.length && !this.#isLast) return false;
    const { [start + 1]: next } = this.#source;
    if (next === '?') return this.#beginSkipping('?>', start + 2);
    if (next !== '!') return this.#tag(start, next === '/');
    if (this.#source.startsWith('<!--', start)) return this.#beginSkipping('-->', start + 4);
    if (this.#source.startsWith(CDATA, start)) return this.#cdata(start + CDATA.length);
    throw new XmlProblem('The XML has a document type, which no report needs.');
  }

  #beginSkipping(mark: string, from: number): true {
    this.#skipsTo = mark;
    this.#at = from;
    return true;
  }

  #cdata(start: number): boolean {
    if (this.#names.length === 0) return this.#beginSkipping(']]>', start);
    const end = this.#source.indexOf(']]>', start);
    if (end < 0 && this.#source.length - start <= MAX_TEXT_CHARS + 3) return false;
    this.#add((end < 0 ? this.#source.length : end) - start, () => this.#source.slice(start, end));
    this.#at = end + 3;
    return true;
  }

  #tag(start: number, isEnd: boolean): boolean {
    const end = this.#endOfTag(start);
    if (end < 0) return false;
    if (isEnd) this.#end(start, end);
    else this.#begin(start, end);
    return true;
  }

  #begin(start: number, end: number): void {
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

  #end(start: number, end: number): void {
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

  /** The position of the tag's `>`, which may also occur inside an attribute value; negative if it has not arrived yet. */
  #endOfTag(start: number): number {
    let quote = '';
    const last = Math.min(this.#source.length, start + MAX_TAG_CHARS);
    for (let i = start + 1; i < last; i += 1) {
      const char = this.#source[i] as string;
      if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === '>') return i;
      else if (char === '<') throw new XmlProblem(NO_END);
    }
    if (!this.#isLast && last < start + MAX_TAG_CHARS) return -1;
    throw new XmlProblem(NO_END);
  }
}

const CDATA = '<![CDATA[';
const NO_END = 'A tag of the XML has no end, or is too long.';

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

/** A lone `&` stays as it is, because some receivers write it so. */
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
