/** A schema as a list of fields: path, type, whether it is required, and what to know about it. */
import { type Document, nameOf, resolve, type Schema } from './docs-document.ts';

const DEEPEST = 5;

export interface Field {
  readonly path: string;
  readonly depth: number;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly rules: readonly string[];
}

export function fieldsOf(schema: Schema, document: Document): Field[] {
  return inside(schema, document, '', 0, []);
}

function inside(
  given: Schema,
  document: Document,
  base: string,
  depth: number,
  above: readonly string[],
): Field[] {
  const name = nameOf(given);
  if (depth > DEEPEST || (name !== undefined && above.includes(name))) return [];
  const path = name === undefined ? above : [...above, name];
  const schema = realBranch(resolve(given, document));
  if (schema !== given && schema.$ref !== undefined) return inside(schema, document, base, depth, path);
  if (schema.items) return inside(schema.items, document, `${base}[]`, depth, path);
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const place = base === '' ? key : `${base}.${key}`;
    const required = schema.required?.includes(key) ?? false;
    return [
      field(value, document, place, depth, required),
      ...inside(value, document, place, depth + 1, path),
    ];
  });
}

/** "This or null" is shown as this. */
function realBranch(schema: Schema): Schema {
  const real = schema.anyOf?.filter((branch) => branch.type !== 'null') ?? [];
  return real.length === 1 ? (real[0] as Schema) : schema;
}

function field(given: Schema, document: Document, path: string, depth: number, required: boolean): Field {
  const schema = resolve(given, document);
  return {
    path,
    depth,
    type: typeOf(given, document),
    required,
    description: given.description ?? schema.description ?? realBranch(schema).description ?? '',
    rules: rulesOf(schema),
  };
}

export function typeOf(given: Schema, document: Document): string {
  const schema = resolve(given, document);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return [...new Set(branches.map((branch) => typeOf(branch, document)))].join(' or ');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => oneType(type, schema, document)).join(' or ');
}

function oneType(type: string | undefined, schema: Schema, document: Document): string {
  if (type === undefined) return schema.enum ? 'string' : 'any';
  if (type === 'array') return schema.items ? `array of ${typeOf(schema.items, document)}` : 'array';
  if (type === 'string' && schema.format === 'date-time') return 'timestamp';
  if (type === 'object' && typeof schema.additionalProperties === 'object') {
    return `object of ${typeOf(schema.additionalProperties, document)}`;
  }
  return type;
}

export function rulesOf(schema: Schema): string[] {
  const values = schema.enum ?? schema.anyOf?.flatMap((branch) => branch.enum ?? []);
  const shown = values?.filter((value) => value !== null).map((value) => `\`${String(value)}\``);
  return [
    ...(shown && shown.length > 0 ? [`one of ${shown.join(', ')}`] : []),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...(schema.pattern === undefined ? [] : [`matches \`${schema.pattern}\``]),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (least !== undefined) return [`at least ${least}${unit}`];
  return most === undefined ? [] : [`at most ${most}${unit}`];
}
