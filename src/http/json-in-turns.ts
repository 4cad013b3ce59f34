/**
 * Parses a large JSON text in turns, so that nobody waits for all of it: the engine's own parser takes 20 MiB at one
 * go, which can be a tenth of a second. What is small is handed to that parser whole; a large object or list is taken
 * apart, a long string decoded in pieces. What comes out is what parsing at one go gives.
 */
import { Turns } from '../runtime/turns.ts';
import { cutBefore, endOfString, endOfValue } from './json-shape.ts';
import { ESCAPED_UNSTORABLE, isStorable, unstorableText } from './unstorable-text.ts';

/** Parses a small text, refusing names that poison prototypes. */
export type ParseSmall = (text: string) => unknown;

/** What this many characters hold is parsed at one go. */
const SMALL_CHARS = 64 * 1024;
const SPACES_PER_LOOK = 64 * 1024;
/** Of a character that takes two places. */
const FIRST_HALF = /[\ud800-\udbff]/;

export class JsonSyntaxError extends Error {
  readonly position: number;
  /** Where the engine tells what it stumbled over instead of a position. */
  readonly words: string | undefined;

  constructor(position: number, words?: string) {
    super('not valid JSON');
    this.position = position;
    this.words = words;
  }
}

/** A name that reaches for prototypes. */
export class PoisonError extends Error {}

export interface ParsedInTurns {
  readonly value: unknown;
  /** The first field that holds text which cannot be stored. */
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

  /** From its first character to behind its last. Most values are small, and not worth a promise. */
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
      default: // a number of a hundred pages, or no JSON at all
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

  /** Steps over the opening bracket; false when the closing one follows. */
  async #enter(closing: string): Promise<boolean> {
    this.#at += 1;
    await this.#toToken();
    if (this.#text[this.#at] !== closing) return true;
    this.#at += 1;
    return false;
  }

  /** Steps over a comma, or over the closing bracket: then false. */
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

  /** Whether it can be stored. Returns the half of a pair that it ends with: the other half may begin the next piece. */
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

  /** Steps over white space, and lets others have their turn where ours is over. */
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

/** The name, unless it would poison a prototype. */
function harmless(name: string, value: unknown): string {
  if (name === '__proto__') throw new PoisonError();
  if (name === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')) throw new PoisonError();
  return name;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
