/**
 * A schema as tables of fields. What is inside an object has a table of its own, named by its path; objects that the API has a name
 * for are described once on the page, and linked.
 */
import { type Document, nameOf, resolve, type Schema } from '../../src/http/docs-document.ts';
import { code, prose, slugOf, table } from './markdown.ts';
import { rulesOf } from './rules.ts';

export const objectHeading = (name: string): string => `The ${name} object`;

/** Tables of fields, and the names of the objects that they link to. */
interface Described {
  readonly tables: readonly string[];
  readonly names: readonly string[];
}

interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

interface Group {
  readonly path: string;
  readonly rows: readonly Row[];
}

const HEADS = ['Field', 'Type', 'Notes'];

/** What may be left out of a request is the usual there; in an answer it is the exception. Objects may be part of either. */
type Direction = 'request' | 'answer' | 'either';

export function describe(schema: Schema, document: Document, direction: Direction): Described {
  const groups = groupsOf(schema, document, '');
  const names = [
    ...namesIn(schema),
    ...groups.flatMap(({ rows }) => rows.flatMap(({ schema: one }) => namesIn(one))),
  ];
  const tables = groups.map(({ path, rows }) => {
    const cells = rows.map((row) => [
      code(row.name),
      typeCell(row, direction),
      notesOf(row.schema, document),
    ]);
    return `${path === '' ? '' : `Inside ${code(path)}:\n\n`}${table(HEADS, cells)}`;
  });
  return { tables, names: [...new Set(names)] };
}

function typeCell({ schema, isRequired }: Row, direction: Direction): string {
  if (direction === 'request') return isRequired ? `${typeText(schema)}, **required**` : typeText(schema);
  const note = direction === 'answer' ? ', may be missing' : ', optional';
  return isRequired ? typeText(schema) : typeText(schema) + note;
}

function groupsOf(given: Schema, document: Document, path: string): Group[] {
  const schema = path === '' ? resolve(realBranch(given), document) : realBranch(given);
  if (schema.$ref !== undefined) return [];
  if (schema.items) return groupsOf(schema.items, document, `${path}[]`);
  if (schema.properties === undefined) {
    const choices = (schema.anyOf ?? schema.oneOf ?? []).filter((one) => one.properties);
    const values = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
    return [
      ...choices.flatMap((one) => groupsOf(one, document, path)),
      ...values.flatMap((one) => groupsOf(one, document, `${path}.*`)),
    ];
  }
  const rows = Object.entries(schema.properties).map(([name, one]) => ({
    name,
    schema: one,
    isRequired: schema.required?.includes(name) ?? false,
  }));
  const inner = rows.flatMap(({ name, schema: one }) =>
    groupsOf(one, document, path === '' ? name : `${path}.${name}`),
  );
  return [{ path, rows }, ...inner];
}

/** "This or null" is shown as this. */
function realBranch(schema: Schema): Schema {
  const real = schema.anyOf?.filter((branch) => branch.type !== 'null') ?? [];
  return real.length === 1 && !schema.properties ? (real[0] as Schema) : schema;
}

function namesIn(schema: Schema): string[] {
  const name = nameOf(schema);
  const inside = [
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  return [...(name === undefined ? [] : [name]), ...inside.flatMap(namesIn)];
}

/** Objects with a name as links, everything else in words. */
export function typeText(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return `[${name}](#${slugOf(objectHeading(name))})`;
  const branches = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (branches) return [...new Set(branches.map(typeText))].join(' or ');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => oneType(type, schema)).join(' or ');
}

function oneType(type: string | undefined, schema: Schema): string {
  if (type === undefined) return wordFor(schema);
  if (type === 'array') return schema.items ? `array of ${typeText(schema.items)}` : 'array';
  if (type === 'string' && schema.format === 'date-time') return 'timestamp';
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${typeText(schema.additionalProperties)}`;
  return type;
}

function wordFor(schema: Schema): string {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  const words = values.map((one) => (one === null ? 'null' : typeof one));
  return words.length === 0 ? 'any' : [...new Set(words)].join(' or ');
}

export function notesOf(given: Schema, document: Document): string {
  const schema = resolve(given, document);
  const about = given.description ?? schema.description ?? realBranch(schema).description ?? '';
  const items = schema.items ? rulesOf(resolve(schema.items, document)).map((rule) => `each ${rule}`) : [];
  const fixed = schema.const === undefined ? [] : [`always \`${JSON.stringify(schema.const)}\``];
  const rules = [...fixed, ...rulesOf(schema), ...items].join('; ');
  const sentence = rules && `${rules.charAt(0).toUpperCase()}${rules.slice(1)}.`;
  return [about, sentence].filter(Boolean).map(prose).join(' ');
}
