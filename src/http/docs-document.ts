/** The parts of an OpenAPI document that the reference page reads. */
import { exampleValue } from './example-values.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
}

export type Response = Content & { readonly description?: string; readonly headers?: object };

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Response>>;
  readonly security?: readonly unknown[];
  readonly 'x-access'?: string;
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-tied'?: boolean;
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>>; readonly headers?: object };
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Endpoints under their first tag, in the order they were registered. */
export function endpointsByTag(document: Document): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other';
      const group = groups.get(tag) ?? [];
      group.push({ method: method.toUpperCase(), path, operation });
      groups.set(tag, group);
    }
  }
  return groups;
}

export function jsonSchemaOf(part: Content | undefined): Schema | undefined {
  return part?.content?.['application/json']?.schema;
}

export function resolve(schema: Schema, document: Document): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? schema);
}

export function nameOf(schema: Schema): string | undefined {
  return schema.$ref?.replace('#/components/schemas/', '');
}

const DEEPEST = 12;

/** The position of a schema in the document. */
interface Place {
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
