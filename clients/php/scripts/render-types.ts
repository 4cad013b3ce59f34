/** Writes JSON Schema as array shapes, which PHPStan checks and editors complete. Each object has a name. */
import type { Schema } from '../../../sdk/scripts/api-schema.ts';
import { pascal, type TypeWriter } from '../../scripts/methods.ts';

/** As in the JavaScript client. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorEnvelope', Event: 'EmailEvent' };

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  number: 'int|float',
  integer: 'int',
  null: 'null',
};

export class ShapeBook implements TypeWriter {
  readonly text = 'string';
  readonly union = union;
  readonly #shapes = new Map<string, string>();

  /** A schema of the document's components. */
  addComponent(name: string, schema: Schema): void {
    const type = this.typeOf(schema, typeName(name));
    if (type !== typeName(name)) this.#shapes.set(typeName(name), type);
  }

  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '');
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return union(schema.enum.map(literal));
    const choices = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
    if (choices !== undefined)
      return union(choices.map((choice, i) => this.typeOf(choice, i === 0 ? name : `${name}${i + 1}`)));
    const types = schema.type === undefined ? [] : [schema.type].flat();
    if (types.length === 0) return schema.properties ? this.#object(schema, name) : 'mixed';
    const nullType = schema.nullable === true ? ['null'] : [];
    return union([...types.map((type) => this.#plain(type, schema, name)), ...nullType]);
  }

  /** All shapes, by name. */
  shapes(): [string, string][] {
    return [...this.#shapes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  #plain(type: string, schema: Schema, name: string): string {
    if (type === 'array') return `list<${this.typeOf(schema.items ?? {}, `${name}Item`)}>`;
    if (type === 'object') return this.#object(schema, name);
    const found = PLAIN[type];
    if (found === undefined) throw new Error(`There is no type for ${type}.`);
    return found;
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, name: string): string {
    if (Object.keys(properties).length === 0) {
      const value =
        typeof additionalProperties === 'object'
          ? this.typeOf(additionalProperties, `${name}Value`)
          : 'mixed';
      return `array<string, ${value}>`;
    }
    const fields = Object.entries(properties).map(([key, schema]) => {
      const mark = required.includes(key) ? '' : '?';
      return `${fieldName(key)}${mark}: ${this.typeOf(schema, name + pascal(key))}`;
    });
    const text = `array{${fields.join(', ')}}`;
    const before = this.#shapes.get(name);
    if (before !== undefined && before !== text) throw new Error(`Two different types are called ${name}.`);
    this.#shapes.set(name, text);
    return name;
  }
}

/** The names of shapes in a type: the words that are neither PHP's own nor fields nor text. */
export function namesIn(type: string): string[] {
  const bare = type.replaceAll(/'(?:[^'\\]|\\.)*'/g, '').replaceAll(/\w+\??:/g, '');
  return bare.match(/\b[A-Z]\w*/g) ?? [];
}

function fieldName(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : quoted(key);
}

function typeName(name: string): string {
  return RENAMED[name] ?? name;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join('|') || 'mixed';
}
