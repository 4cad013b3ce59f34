/** Values that a schema allows, and that make sense: a sender on the organization's domain, ids that exist. */
import type { ApiDescription, Schema } from './document.ts';
import type { Random } from './random.ts';

export interface Surroundings {
  readonly random: Random;
  readonly api: ApiDescription;
  /** A verified domain of the organization that asks. */
  readonly domain: string;
  /** Stands in every name and text that the organization makes, so that it can be recognised elsewhere. */
  readonly mark: string;
  /** An id of the organization's own, of what a path or field calls so. */
  idOf(noun: string): string;
}

const DEEPEST = 5;

export function validValue(given: Schema, around: Surroundings, path: readonly string[] = []): unknown {
  const schema = around.api.resolve(given);
  const { random } = around;
  const named = valueByName(schema, around, path);
  if (named !== undefined) return named;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches && !schema.properties) return validValue(random.pick(branches), around, path);
  const type = typeof schema.type === 'object' ? random.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return validObject(schema, around, path);
    case 'array':
      return validArray(schema, around, path);
    case 'integer':
    case 'number':
      return random.integer(
        schema.minimum ?? 0,
        Math.min(schema.maximum ?? 1_000, (schema.minimum ?? 0) + 1_000),
      );
    case 'boolean':
      return random.chance(0.5);
    case 'string':
      return validText(schema, around, path);
    case 'null':
      return null;
    default:
      return random.pick<unknown>([around.mark, 7, true, [1, 'two'], { a: { b: around.mark } }]);
  }
}

function validObject(schema: Schema, around: Surroundings, path: readonly string[]): Record<string, unknown> {
  const { random } = around;
  const made: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const needed = schema.required?.includes(name) ?? false;
    if (!needed && (path.length >= DEEPEST || random.chance(0.75))) continue;
    made[name] = validValue(inner, around, [...path, name]);
  }
  if (typeof schema.additionalProperties === 'object' || schema.additionalProperties === true) {
    const inner = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    const isHeaders = path.at(-1) === 'headers';
    for (let left = random.integer(0, 3); left > 0 && path.length < DEEPEST; left -= 1) {
      made[`${isHeaders ? 'X-' : ''}${random.word()}`] = validValue(inner, around, [...path, '*']);
    }
  }
  return oneContent(made, path);
}

/** What a schema does not say in a way that can be followed: a template instead of content, not beside it. */
function oneContent(made: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
  if (path.at(-2) === 'attachments') return oneSource(made);
  if (path.length > 0 || made.from === undefined || made.to === undefined) return made;
  const { html, text, ...rest } = made;
  if (rest.template_id !== undefined) return rest;
  const { template_data: _data, ...inline } = rest;
  return html === undefined && text === undefined
    ? { ...inline, text: 'Hello' }
    : { ...inline, ...(html === undefined ? {} : { html }), ...(text === undefined ? {} : { text }) };
}

/** A file is in the request, with a name, or at a URL. */
function oneSource({ url, ...made }: Record<string, unknown>): Record<string, unknown> {
  return made.content === undefined
    ? { ...made, url: url ?? 'http://127.0.0.1:9/' }
    : { filename: 'a.txt', ...made };
}

function validArray(schema: Schema, around: Surroundings, path: readonly string[]): unknown[] {
  const least = schema.minItems ?? 0;
  const most = Math.min(schema.maxItems ?? 3, least + 3);
  const count = path.length >= DEEPEST ? least : around.random.integer(least, most);
  return Array.from({ length: count }, () => validValue(schema.items ?? {}, around, [...path, '*']));
}

function validText(schema: Schema, { random, mark, domain }: Surroundings, path: readonly string[]): string {
  // A mailbox as text: its example is an address.
  if (String(schema.examples?.[0]).includes('@'))
    return path.at(-1) === 'from'
      ? `${mark} <${random.word()}@${domain}>`
      : `${mark}.${random.word()}@example.org`;
  if (schema.format === 'date-time')
    return new Date(Date.now() + random.integer(1, 900) * 86_400_000).toISOString();
  const text = random.pick([
    mark,
    `${mark} ${random.word()}`,
    `${mark} ütf – 日本 👩‍👩‍👧`,
    `${mark} {{name}}`,
  ]);
  return text.padEnd(schema.minLength ?? 1, 'x').slice(0, schema.maxLength ?? 200);
}

type Maker = (around: Surroundings, path: readonly string[]) => unknown;

const isoDay = (random: Random, days: number) =>
  new Date(Date.now() + random.integer(-days, days) * 86_400_000).toISOString().slice(0, 10);

/** What only the name of a field tells. */
const BY_NAME: Readonly<Record<string, Maker>> = {
  email: ({ random, domain, mark }, path) =>
    path.at(-2) === 'from' ? `${random.word()}@${domain}` : `${mark}.${random.word()}@example.org`,
  emails: ({ random }) => Array.from({ length: random.integer(1, 5) }, () => `${random.word()}@example.org`),
  domain: ({ random, mark }) => `${mark}-${random.word()}.example`,
  template_id: (around) => around.idOf('templates'),
  batch_id: (around) => around.idOf('batch'),
  organization_id: (around) => around.idOf('organizations'),
  url: ({ mark }) => `http://127.0.0.1:9/${mark}`,
  content: ({ mark }) => Buffer.from(mark).toString('base64'),
  content_type: () => 'text/plain',
  filename: ({ random, mark }) => `${mark}-${random.word()}.txt`,
  scheduled_at: ({ random }) => new Date(Date.now() + random.integer(1, 500) * 86_400_000).toISOString(),
  expires_at: ({ random }) => new Date(Date.now() + random.integer(1, 500) * 86_400_000).toISOString(),
  since: ({ random }) => new Date(Date.now() - random.integer(1, 48) * 3_600_000).toISOString(),
  from_date: ({ random }) => isoDay(random, 3),
  to_date: ({ random }) => isoDay(random, 3),
  recipient: ({ random, mark }) => `${mark}.${random.word()}@example.org`,
  alias: ({ random, mark }) => `${mark}-${random.word()}`.slice(0, 64),
  default_value: ({ mark }) => mark,
  password: ({ random }) => `correct horse ${random.word()}`,
};

function valueByName(schema: Schema, around: Surroundings, path: readonly string[]): unknown {
  const name = path.at(-1) ?? '';
  const make = BY_NAME[name];
  if (make === undefined || schema.enum || schema.properties) return undefined;
  return make(around, path);
}
