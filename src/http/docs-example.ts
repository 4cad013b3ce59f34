/** Generates examples from schemas: well-formed requests and their responses. */
import { type Document, nameOf, resolve, type Schema } from './docs-document.ts';
import { exampleValue } from './example-values.ts';

const DEEPEST = 12;

/** The position of a schema in the document. */
interface Place {
  /** The field's name. */
  readonly name: string;
  /** The named schema that contains the field, with the fields in between: `Me.user`. */
  readonly owner: string;
  /** The resource that the whole document describes. */
  readonly noun: string;
  readonly depth: number;
  /** The named schemas that contain this one. */
  readonly above: readonly string[];
}

/** Shows only required fields (all fields when none is required): the shortest example worth copying. */
export function exampleOf(given: Schema, document: Document, name = '', noun = ''): unknown {
  return exampleAt(given, document, { name, noun, owner: '', depth: 0, above: [] });
}

function exampleAt(given: Schema, document: Document, place: Place): unknown {
  const schema = resolve(given, document);
  const told = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const;
  if (told !== undefined) return told;
  const known = exampleValue(schema, place.name, place);
  if (known !== undefined) return known;
  if (schema.enum !== undefined) return schema.enum[0];
  const called = nameOf(given);
  const inside = called === undefined ? place : { ...place, owner: called, above: [...place.above, called] };
  const branch = schema.properties
    ? undefined
    : (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null');
  if (branch) return exampleAt(branch, document, inside);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return exampleList(schema, document, inside);
    case 'object':
      return place.depth < DEEPEST
        ? exampleObject(schema, document, { ...inside, owner: called ?? ownerIn(place) })
        : {};
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return exampleText(schema, place.name);
    default:
      return null;
  }
}

/** `user` inside `Me` is `Me.user`. */
function ownerIn({ name, owner }: Place): string {
  return name === '' || name === 'data' ? owner : `${owner}.${name}`;
}

/** One entry; none where the list would contain its own schema. */
function exampleList({ items }: Schema, document: Document, place: Place): unknown[] {
  if (!items || place.depth >= DEEPEST || place.above.includes(nameOf(items) ?? '')) return [];
  return [exampleAt(items, document, { ...place, depth: place.depth + 1 })];
}

function exampleObject(schema: Schema, document: Document, place: Place): Record<string, unknown> {
  const all = Object.entries(schema.properties ?? {});
  const required = all.filter(([name]) => schema.required?.includes(name));
  const shown = required.length > 0 ? required : all;
  const { owner, noun, above } = place;
  const depth = place.depth + 1;
  return Object.fromEntries(
    shown.map(([name, value]) => [name, exampleAt(value, document, { name, owner, noun, depth, above })]),
  );
}

/** Timestamps of past events; the others lie in the future. */
const HAPPENED = /^(?!expires|scheduled|next|expected).*(_at|^at)$/;

function exampleText({ format, minLength }: Schema, name: string): string {
  if (format === 'date-time')
    return HAPPENED.test(name) ? '2026-11-15T02:50:03.794Z' : '2030-01-31T09:30:00.000Z';
  if (format === 'uri') return 'https://example.org/hook';
  if (name.includes('email')) return 'ada@example.org';
  if (name.includes('domain')) return 'example.org';
  return TEXTS[name] ?? '…'.padEnd(minLength ?? 1, '…');
}

/** Example texts for field names that mean the same everywhere. */
const TEXTS: Readonly<Record<string, string>> = {
  description: 'For the shop',
  subject: 'Welcome to the shop',
  reason: 'Wrong prices',
  error: 'The domain "example" has no dot; give the full domain name.',
  html: '<p>Welcome.</p>',
  text: 'Welcome.',
  password: 'correct horse battery',
  current: 'correct horse battery',
  disposable_allow: 'example.org',
  disposable_deny: 'example.net',
};
