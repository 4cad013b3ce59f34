/** An example value for a field whose schema gives none: chosen by name, and only if the schema allows it. */

import { type Document, nameOf, resolve, type Schema } from './docs-document.ts';
import { CHARACTERS, EMAIL_ID, FIELD_VALUES } from './example-fields.ts';

/**
 * The owner of a field: the named schema with the fields in between (`Me.user`), and the resource of the
 * whole response.
 */
interface ExampleOwner {
  readonly owner: string;
  readonly noun: string;
}

function exampleValue(schema: Schema, name: string, { owner, noun }: ExampleOwner): unknown {
  const prefix = /[Ss]tarts with `([a-z]+_)`/.exec(schema.description ?? '')?.[1];
  if (prefix !== undefined && fits('', schema)) return prefix + CHARACTERS;
  const around = owner.split('.').at(-1) ?? '';
  const candidates =
    name === 'id'
      ? [idFor(owner) ?? idFor(noun) ?? EMAIL_ID]
      : [FIELD_VALUES[`${owner}.${name}`], FIELD_VALUES[`${around}.${name}`], FIELD_VALUES[name]];
  return candidates.find((value) => value !== undefined && fits(value, schema));
}

export function examplePathValue(path: string, name: string): string {
  if (name !== 'id' && name !== 'name') return String(FIELD_VALUES[name] ?? '1');
  const noun = nounOf(path);
  return noun === 'canaries' ? 'new-relay' : (idFor(noun) ?? EMAIL_ID);
}

/** The resource of a path: the segment before its first id, or its first segment. */
export function nounOf(path: string): string {
  const [before = '', after] = path.split('/{');
  return before.split('/').at(after === undefined ? 1 : -1) ?? '';
}

function idFor(owner: string): string | undefined {
  const prefix = PREFIXES.find(([pattern]) => pattern.test(owner))?.[1];
  if (prefix === 'org_') return `org_99289pn4fcap7`;
  return prefix === undefined ? undefined : prefix + CHARACTERS;
}

/** Id prefixes by the name of a schema or path segment. Everything else has a UUID. */
const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^(api-keys|\w*ApiKey|RequestLogEntry\.caller)$/, 'key_'],
  [/^(organizations?|Organization|Membership|ThrowAwayOrganization|Me\.organizations?)$/, 'org_'],
  [/^(domains|NewDomain|Domain|Attention)$/, 'dom_'],
  [/^(templates|Template\w*)$/, 'tmpl_'],
  [/^(webhooks|Webhook|WebhookWithSecret)$/, 'whk_'],
  [/^(members|Member|RemovedMember|Me\.user|AuditEntry\.actor)$/, 'usr_'],
  [/^(invites|Invite|NewInvite)$/, 'inv_'],
  [/^(suppressions|Suppression)$/, 'sup_'],
  [/^(imports|SuppressionImport)$/, 'imp_'],
  [/^(Event|StreamEvent|WebhookDelivery\w*)$/, 'evt_'],
  [/^(holds|Hold\w*)$/, 'hold_'],
  [/^(undos|Undo)$/, 'undo_'],
  [/^(sites|Site)$/, 'site_'],
];

function fits(value: unknown, schema: Schema): boolean {
  if (value === null && schema.enum?.includes(null)) return true;
  if (schema.$ref !== undefined || schema.enum !== undefined || schema.const !== undefined) return false;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.some((branch) => fits(value, branch));
  const types = [schema.type].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value))
    return types.includes('array') && value.every((one) => fits(one, schema.items ?? {}));
  if (typeof value === 'number')
    return (
      types.includes('number') ||
      (types.includes('integer') && Number.isInteger(value) && value <= (schema.maximum ?? value))
    );
  if (typeof value === 'string')
    return (
      types.includes('string') &&
      value.length <= (schema.maxLength ?? value.length) &&
      (schema.format !== 'date-time' || value.includes('T'))
    );
  return types.includes(typeof value);
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
