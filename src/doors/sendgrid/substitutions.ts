/**
 * SendGrid's substitutions: any text stands for any other, in the subject and the bodies. A value may hold the names of
 * `sections`, longer texts that all recipients share.
 */
import { Problems } from '../../kit/problems.ts';
import { fillIn } from '../compat/fill-in.ts';
import type { JsonFields } from '../compat/json-fields.ts';

const MAX_SUBSTITUTIONS = 100;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

export class Substitutions {
  readonly #values: ReadonlyMap<string, string>;
  readonly #names: RegExp | null;

  /** `field`: where they stand in the request. */
  constructor(values: JsonFields, field: string) {
    const problems = new Problems();
    const entries = Object.entries(values).filter(([name]) => name !== '');
    if (entries.length > MAX_SUBSTITUTIONS)
      problems.add(field, `must not have more than ${MAX_SUBSTITUTIONS} entries`);
    for (const [name, value] of entries) {
      if (!['string', 'number', 'boolean'].includes(typeof value))
        problems.add(`${field}.${name.slice(0, 100)}`, 'must be a text');
    }
    problems.throwIfAny();
    this.#values = new Map(entries.map(([name, value]) => [name, String(value)]));
    // The longest first: one name may begin with another.
    const names = [...this.#values.keys()].sort((a, b) => b.length - a.length);
    this.#names = names.length === 0 ? null : new RegExp(names.map(escaped).join('|'), 'g');
  }

  get entries(): Iterable<readonly [name: string, value: string]> {
    return this.#values;
  }

  in(text: unknown): unknown {
    if (this.#names === null || typeof text !== 'string') return text;
    return fillIn(text, this.#names, (name) => this.#values.get(name));
  }

  /** With those names in the values replaced. */
  filledWith(others: Substitutions): Substitutions {
    if (others.#names === null) return this;
    const values = [...this.#values].map(([name, value]) => [name, others.in(value)]);
    return new Substitutions(Object.fromEntries(values), '');
  }
}

function escaped(name: string): string {
  return name.replaceAll(SPECIAL, '\\$&');
}
