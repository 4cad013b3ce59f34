/**
 * Parses a large JSON text in time slices: JSON.parse can block the event loop for a tenth of a second on 20
 * MiB. Small values go to JSON.parse whole; large objects and lists are taken apart, and long strings are
 * decoded in pieces. The result equals that of JSON.parse.
 */
import { Turns } from '../runtime/turns.ts';
import { cutBefore, endOfString, endOfValue } from './json-shape.ts';
import { ESCAPED_UNSTORABLE, isStorable, unstorableText } from './unstorable-text.ts';

/** Parses a small text and refuses names that pollute prototypes. */
export type ParseSmall = (text: string) => unknown;

/** Values up to this many characters are parsed in one call. */
const SMALL_CHARS = 64 * 1024;
const SPACES_PER_LOOK = 64 * 1024;
/** The first half of a surrogate pair. */
const FIRST_HALF = /[\ud800-\udbff]/;

export class JsonSyntaxError extends Error {
  readonly position: number;
  /** The engine's error text, where the engine gives no position. */
  readonly words: string | undefined;

  constructor(position: number, words?: string) {
    super('not valid JSON');
    this.position = position;
    this.words = words;
  }
}

/** A name that would pollute a prototype. */
export class PoisonError extends Error {}

export interface ParsedInTurns {
  readonly value: unknown;
  /** The first field with text that cannot be stored. */
  readonly unstorable: string | undefined;
}

export async function parseInTurns(
  text: string,
  parseSmall: ParseSmall,
  smallChars = SMALL_CHARS,
): Promise<ParsedInTurns> {
  const reader = new JsonReader(text, parseSmall, smallChars);
  const value = await reader.readAll();
  return { value, unstorable: reader.unstorable };
}

class JsonReader {
  readonly #text: string;
  readonly #parseSmall: ParseSmall;
  readonly #smallChars: number;
  readonly #turns = new Turns();
  readonly #path: (string | number)[] = [];
  #at = 0;
  #unstorable: string | undefined;

  constructor(text: string, parseSmall: ParseSmall, smallChars: number) {
    this.#text = text;
    this.#parseSmall = parseSmall;
    this.#smallChars = smallChars;
  }

  get unstorable(): string | undefined {
    return this.#unstorable;
  }

  async readAll(): Promise<unknown> {
    await this.#toToken();
    const value = await this.#readValue();
    await this.#toToken();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  /**
   * Reads from the value's first character to behind its last. Returns no promise for small values, which are
   * the most common.
   */
  #readValue(): unknown | Promise<unknown> {
    const end = endOfValue(this.#text, this.#at, this.#smallChars);
    if (end !== -1) return this.#readSmall(end);
    switch (this.#text[this.#at]) {
      case '{':
        return this.#readObject();
      case '[':
        return this.#readList();
      case '"':
        return this.#readString();
      default: // a number of extreme length, or invalid JSON
        throw this.#unexpected();
    }
  }

  #readSmall(end: number): unknown {
    if (end === this.#at) throw this.#unexpected();
    const text = this.#text.slice(this.#at, end);
    let value: unknown;
    try {
      value = this.#parseSmall(text);
    } catch (error) {
      throw moved(error, this.#at);
    }
    this.#at = end;
    if (this.#unstorable === undefined && ESCAPED_UNSTORABLE.test(text))
      this.#unstorable = unstorableText(value, this.#field());
    return value;
  }

  async #readObject(): Promise<Record<string, unknown>> {
    const object: Record<string, unknown> = {};
    for (let more = await this.#enter('}'); more; more = this.#goOn('}') && (await this.#toToken())) {
      if (this.#text[this.#at] !== '"') throw this.#unexpected();
      const name = (await this.#readValue()) as string;
      await this.#toToken();
      this.#expect(':');
      await this.#toToken();
      this.#path.push(name);
      const found = this.#readValue();
      const value = found instanceof Promise ? await found : found;
      object[harmless(name, value)] = value;
      this.#path.pop();
      await this.#toToken();
    }
    return object;
  }

  async #readList(): Promise<unknown[]> {
    const list: unknown[] = [];
    for (let more = await this.#enter(']'); more; more = this.#goOn(']') && (await this.#toToken())) {
      this.#path.push(list.length);
      const value = this.#readValue();
      list.push(value instanceof Promise ? await value : value);
      this.#path.pop();
      await this.#toToken();
    }
    return list;
  }

  /** Skips the opening bracket; false when the closing bracket follows. */
  async #enter(closing: string): Promise<boolean> {
    this.#at += 1;
    await this.#toToken();
    if (this.#text[this.#at] !== closing) return true;
    this.#at += 1;
    return false;
  }

  /** Skips a comma (true) or the closing bracket (false). */
  #goOn(closing: string): boolean {
    const char = this.#text[this.#at];
    if (char !== closing) this.#expect(',');
    else this.#at += 1;
    return char !== closing;
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) throw this.#unexpected();
    this.#at += 1;
  }

  async #readString(): Promise<string> {
    const pieces: string[] = [];
    let half = '';
    this.#at += 1;
    for (let ended = false; !ended; ) {
      const limit = this.#at + this.#smallChars;
      const quote = endOfString(this.#text, this.#at, limit);
      if (quote === -1 && limit >= this.#text.length) throw new JsonSyntaxError(this.#text.length);
      const end = quote === -1 ? cutBefore(this.#text, this.#at, limit) : quote;
      ended = quote !== -1;
      const piece = this.#readPiece(end);
      half = this.#judge(half + piece, ended);
      pieces.push(piece);
      if (this.#turns.isOver) await this.#turns.next();
    }
    this.#at += 1;
    return pieces.join('');
  }

  /**
   * Checks that the piece can be stored. Returns a trailing first half of a surrogate pair, because the next
   * piece may begin with the second half.
   */
  #judge(piece: string, isLast: boolean): string {
    const half = isLast ? '' : (FIRST_HALF.exec(piece.slice(-1))?.[0] ?? '');
    const whole = piece.slice(0, piece.length - half.length);
    if (this.#unstorable === undefined && !isStorable(whole)) this.#unstorable = this.#field() || 'body';
    return half;
  }

  #readPiece(end: number): string {
    try {
      const piece = this.#parseSmall(`"${this.#text.slice(this.#at, end)}"`) as string;
      this.#at = end;
      return piece;
    } catch (error) {
      throw moved(error, this.#at - 1);
    }
  }

  /** Skips white space, and yields to the event loop when the time slice is used up. */
  async #toToken(): Promise<true> {
    const { length } = this.#text;
    for (let since = this.#at; this.#at < length && isSpace(this.#text.charCodeAt(this.#at)); this.#at += 1) {
      if (this.#at - since < SPACES_PER_LOOK) continue;
      since = this.#at;
      if (this.#turns.isOver) await this.#turns.next();
    }
    if (this.#turns.isOver) await this.#turns.next();
    return true;
  }

  #unexpected(): JsonSyntaxError {
    return new JsonSyntaxError(this.#at);
  }

  #field(): string {
    return this.#path.reduce<string>(
      (field, step) => field + (typeof step === 'number' ? `[${step}]` : `${field && '.'}${step}`),
      '',
    );
  }
}

function moved(error: unknown, by: number): unknown {
  return error instanceof JsonSyntaxError ? new JsonSyntaxError(by + error.position, error.words) : error;
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}

/** Returns the name unless it would pollute a prototype. */
function harmless(name: string, value: unknown): string {
  if (name === '__proto__') throw new PoisonError();
  if (name === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')) throw new PoisonError();
  return name;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
