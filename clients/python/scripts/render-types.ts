/** Writes JSON Schema as Python: a `TypedDict` for each object, with a name also for those that have none of their own. */
import type { Schema } from '../../../sdk/scripts/api-schema.ts';
import { pascal, type TypeWriter } from '../../scripts/methods.ts';

/** As in the JavaScript client. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorEnvelope', Event: 'EmailEvent' };

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

export class TypeBook implements TypeWriter {
  readonly text = 'str';
  readonly union = union;
  readonly #classes = new Map<string, string>();
  readonly #aliases = new Map<string, string>();

  /** A schema of the document's components. */
  addComponent(name: string, schema: Schema): void {
    const type = this.typeOf(schema, typeName(name));
    if (type !== typeName(name)) this.#aliases.set(typeName(name), quoted(type));
  }

  /** The Python type; objects without a name get the one that is given. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '');
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum !== undefined) return enumType(schema.enum);
    const choices = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
    if (choices !== undefined)
      return union(choices.map((choice, i) => this.typeOf(choice, numbered(name, i))));
    const types = schema.type === undefined ? [] : [schema.type].flat();
    if (types.length === 0) return schema.properties ? this.#object(schema, name) : 'Any';
    const nullType = schema.nullable === true ? ['None'] : [];
    return union([...types.map((type) => this.#plain(type, schema, name)), ...nullType]);
  }

  render(): string {
    const sorted = (map: ReadonlyMap<string, string>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const classes = sorted(this.#classes).map(([, text]) => text);
    const aliases = sorted(this.#aliases).map(([name, type]) => `${name} = ${type}\n`);
    return [...classes, ...aliases].join('\n\n');
  }

  #plain(type: string, schema: Schema, name: string): string {
    const plain: Readonly<Record<string, string>> = {
      string: 'str',
      boolean: 'bool',
      number: 'float',
      integer: 'int',
      null: 'None',
    };
    if (type === 'array') return `List[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (type === 'object') return this.#object(schema, name);
    const found = plain[type];
    if (found === undefined) throw new Error(`There is no type for ${type}.`);
    return found;
  }

  #object(schema: Schema, name: string): string {
    const { properties = {}, additionalProperties } = schema;
    if (Object.keys(properties).length > 0) return this.#typedDict(schema, name);
    const value =
      typeof additionalProperties === 'object' ? this.typeOf(additionalProperties, `${name}Value`) : 'Any';
    return `Dict[str, ${value}]`;
  }

  #typedDict({ properties = {}, required = [], description }: Schema, name: string): string {
    const fields = Object.entries(properties).map(([key, schema]) => ({
      key,
      type: this.typeOf(schema, name + pascal(key)),
      about: schema.description,
      isRequired: required.includes(key),
    }));
    const text = fields.every(({ key }) => isIdentifier(key))
      ? classText(name, description, fields)
      : callText(name, description, fields);
    const before = this.#classes.get(name);
    if (before !== undefined && before !== text) throw new Error(`Two different types are called ${name}.`);
    this.#classes.set(name, text);
    return name;
  }
}

interface Field {
  readonly key: string;
  readonly type: string;
  readonly about: string | undefined;
  readonly isRequired: boolean;
}

/** Python 3.9 has no `NotRequired`: what may be missing is in a class of its own, upon that of the rest. */
function classText(name: string, description: string | undefined, fields: readonly Field[]): string {
  const part = (wanted: boolean) => fields.filter(({ isRequired }) => isRequired === wanted);
  const [always, sometimes] = [part(true), part(false)];
  const about = description === undefined ? '' : docstring(description, '    ');
  if (sometimes.length === 0) return `class ${name}(TypedDict):\n${about}${always.map(fieldText).join('')}`;
  const optional = (base: string) =>
    `class ${name}(${base}, total=False):\n${about}${sometimes.map(fieldText).join('')}`;
  if (always.length === 0) return optional('TypedDict');
  const base = `_${name}Required`;
  return `class ${base}(TypedDict):\n${always.map(fieldText).join('')}\n\n${optional(base)}`;
}

/** Keys such as `from` cannot be written in a class. */
function callText(name: string, description: string | undefined, fields: readonly Field[]): string {
  const call = (suffix: string, isRequired: boolean) => {
    const lines = fields
      .filter((field) => field.isRequired === isRequired)
      .map(
        ({ key, type, about }) =>
          `${comment(about, '        ')}        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`,
      );
    const total = isRequired ? '' : '    total=False,\n';
    const own = `_${name}${suffix}`;
    return `${own} = TypedDict(\n    "${own}",\n    {\n${lines.join('')}    },\n${total})\n`;
  };
  const about = docstring(description ?? 'Its fields are above.', '    ');
  const parts = [true, false].filter((isRequired) => fields.some((field) => field.isRequired === isRequired));
  const suffixes = parts.map((isRequired) => (isRequired ? 'Required' : 'Optional'));
  const bases = suffixes.map((suffix) => `_${name}${suffix}`).join(', ');
  const calls = parts.map((isRequired, i) => call(suffixes[i] ?? '', isRequired));
  return [...calls, `\nclass ${name}(${bases}):\n${about}`].join('\n');
}

function fieldText({ key, type, about }: Field): string {
  return `    ${key}: ${type}\n${about === undefined ? '' : docstring(about, '    ')}`;
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}# ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`;
}

export function docstring(text: string, indent: string): string {
  const line = text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''");
  return `${indent}"""${line.endsWith('"') ? `${line} ` : line}"""\n`;
}

export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);
}

function union(types: readonly string[]): string {
  const [first = 'Any', ...others] = [...new Set(types)];
  return others.length === 0 ? first : `Union[${[first, ...others].join(', ')}]`;
}

function typeName(name: string): string {
  return RENAMED[name] ?? name;
}

function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}${index + 1}`;
}

function enumType(values: readonly unknown[]): string {
  const given = values.filter((value) => value !== null);
  const types = given.length === 0 ? [] : [literal(given)];
  return union([...types, ...(given.length < values.length ? ['None'] : [])]);
}

function literal(values: readonly unknown[]): string {
  const words = values.map((value) => {
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return JSON.stringify(value);
  });
  return `Literal[${words.join(', ')}]`;
}

/** Aliases are evaluated when the module is loaded; what they name may come later. */
function quoted(type: string): string {
  const known = new Set(['Any', 'Dict', 'List', 'Literal', 'None', 'Union', 'True', 'False']);
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
    word.startsWith('"') || known.has(word) ? word : `"${word}"`,
  );
}
