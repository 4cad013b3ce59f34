/**
 * SendGrid's substitutions: any text can be a placeholder in the subject and the bodies. A value may contain
 * names of `sections`, longer texts shared by all recipients.
 */

import type { JsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { Turns } from '../../../runtime/turns.ts';
import { filledTooLarge, MAX_FILLED_CHARS } from '../fill-in.ts';
import { NameMatcher } from './name-matcher.ts';

const MAX_SUBSTITUTIONS = 100;
/** SendGrid's limit for names and values together. */
const MAX_NAMES_CHARS = 10_000;
/** Positions processed between two checks of the clock. */
const SLICE_CHARS = 32 * 1024;

export class Substitutions {
  readonly #values: ReadonlyMap<string, string>;
  readonly #field: string;
  #names: NameMatcher | undefined;

  /** `field` contains the substitutions in the request. */
  constructor(values: JsonFields, field: string) {
    const problems = new Problems();
    const entries = Object.entries(values).filter(([name]) => name !== '');
    if (entries.length > MAX_SUBSTITUTIONS)
      problems.add(field, `must not have more than ${MAX_SUBSTITUTIONS} entries`);
    if (entries.reduce((sum, [name]) => sum + name.length, 0) > MAX_NAMES_CHARS)
      problems.add(field, `must not have names of more than ${MAX_NAMES_CHARS} characters together`);
    for (const [name, value] of entries) {
      if (!['string', 'number', 'boolean'].includes(typeof value))
        problems.add(`${field}.${name.slice(0, 100)}`, 'must be a text');
    }
    problems.throwIfAny();
    this.#field = field;
    this.#values = new Map(entries.map(([name, value]) => [name, String(value)]));
  }

  get entries(): Iterable<readonly [name: string, value: string]> {
    return this.#values;
  }

  /** Replaces names in the text, preferring the longest. `sections` are replaced within the values. */
  async in(text: unknown, sections?: Substitutions): Promise<unknown> {
    // A text too long for an email stays unchanged; the schema refuses it.
    if (this.#values.size === 0 || typeof text !== 'string' || text.length > MAX_FILLED_CHARS) return text;
    const turns = new Turns();
    this.#names ??= new NameMatcher(this.#values.keys());
    const lengths = await this.#names.lengthsIn(text, turns);
    return this.#fill(text, lengths, new ValuesInUse(this.#values, sections), turns);
  }

  async #fill(text: string, lengths: Uint16Array, values: ValuesInUse, turns: Turns): Promise<string> {
    const slices: string[] = [];
    let left = MAX_FILLED_CHARS - text.length;
    for (let at = 0, copied = 0; at < text.length; copied = at) {
      const pieces: string[] = [];
      for (const until = at + SLICE_CHARS; at < until && at < text.length; ) {
        const length = lengths[at] as number;
        if (length === 0) {
          at += 1;
          continue;
        }
        const name = text.slice(at, at + length);
        const value = values.known(name) ?? (await values.find(name));
        left -= value.length - length;
        if (left < 0) throw filledTooLarge(this.#field);
        pieces.push(text.slice(copied, at), value);
        at += length;
        copied = at;
      }
      slices.push(pieces.join('') + text.slice(copied, at));
      if (turns.isOver) await turns.next();
    }
    return slices.join('');
  }
}

/**
 * The values of one text. Sections in a value are replaced once, and only if the value's name occurs in the
 * text.
 */
class ValuesInUse {
  readonly #values: ReadonlyMap<string, string>;
  readonly #sections: Substitutions | undefined;
  readonly #filled = new Map<string, string>();

  constructor(values: ReadonlyMap<string, string>, sections: Substitutions | undefined) {
    this.#values = values;
    this.#sections = sections;
  }

  known(name: string): string | undefined {
    return this.#filled.get(name);
  }

  async find(name: string): Promise<string> {
    const value = this.#values.get(name) as string;
    const filled = this.#sections === undefined ? value : ((await this.#sections.in(value)) as string);
    this.#filled.set(name, filled);
    return filled;
  }
}
