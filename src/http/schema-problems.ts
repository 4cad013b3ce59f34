/** Turns ajv errors into readable sentences, with fields written as `to[0].email`. */
import type { ErrorObject } from 'ajv';
import { nearestName } from '../runtime/nearest-name.ts';
import { joinField, Problems } from '../runtime/problems.ts';
import type { ProblemKind } from '../runtime/service-error.ts';

export type Part = 'body' | 'querystring' | 'headers' | 'params';

/** Names from the request are repeated in the response up to this length. */
const LONGEST_REPEATED = 100;

export function schemaProblems(errors: readonly ErrorObject[], data: unknown, part: Part): Problems {
  const problems = new Problems();
  for (const error of withoutBranches(errors)) {
    const base = fieldOf(error.instancePath, data);
    const [rest, message, kind] = explain(error, part);
    problems.add(joinField(base, rest) || wholeOf(part), message, kind);
  }
  return problems;
}

/** `/to/0/email` → `to[0].email`; only the data shows whether `0` is an array index or a name. */
function fieldOf(pointer: string, data: unknown): string {
  let field = '';
  let value = data;
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    field = Array.isArray(value) ? `${field}[${name}]` : joinField(field, shorten(name));
    value = (value as Record<string, unknown> | undefined)?.[name];
  }
  return field;
}

function wholeOf(part: Part): string {
  return part === 'querystring' ? 'query' : part;
}

/**
 * For a union, ajv lists the errors of every branch and then the union. If one branch has the type of the
 * given value ("one or a list", "this or null"), only its errors help; otherwise one sentence about the union
 * does.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = unionsOf(errors);
  return errors.filter((error) =>
    [...unions].every(([place, { depth, chosen }]) => {
      if (error.schemaPath === place) return chosen.get(error.instancePath) === NO_BRANCH;
      if (!error.schemaPath.startsWith(`${place}/`)) return true;
      const given = error.instancePath.split('/', depth).join('/');
      return error.schemaPath.slice(place.length + 1).split('/', 1)[0] === String(chosen.get(given));
    }),
  );
}

interface Union {
  /** Length of the path to a value of this union. */
  readonly depth: number;
  /** The matching branch, by the path of the value. */
  readonly chosen: Map<string, number>;
}

/** Unions by their place in the schema, of which there are few even when there are many errors. */
function unionsOf(errors: readonly ErrorObject[]): Map<string, Union> {
  const unions = new Map<string, Union>();
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') continue;
    const { schemaPath, instancePath } = error;
    const union = unions.get(schemaPath) ?? { depth: instancePath.split('/').length, chosen: new Map() };
    unions.set(schemaPath, union);
    union.chosen.set(instancePath, branchMeant(error));
  }
  return unions;
}

const NO_BRANCH = -1;

function branchMeant({ schema, data }: ErrorObject): number {
  const branches = (schema as readonly { readonly type?: unknown }[]).map(({ type }, index) => ({
    type,
    index,
  }));
  const real = branches.filter(({ type }) => type !== 'null');
  const kind = Array.isArray(data) ? 'array' : data === null ? 'null' : typeof data;
  const fitting = real.length === 1 ? real : real.filter(({ type }) => type === kind);
  return fitting.length === 1 ? (fitting[0]?.index ?? NO_BRANCH) : NO_BRANCH;
}

type Explanation = readonly [rest: string, message: string, kind?: ProblemKind | undefined];

function explain(error: ErrorObject, part: Part): Explanation {
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'required':
      return [String(params.missingProperty), 'is required', 'missing'];
    case 'additionalProperties':
      return unknownName(String(params.additionalProperty), error, part);
    case 'propertyNames':
      return [shorten(String(params.propertyName)), 'is not an allowed name'];
    case 'check':
      return [
        shorten(String(params.field)),
        error.message ?? 'is not valid',
        params.kind as ProblemKind | undefined,
      ];
    default:
      return ['', sentence(error, params, part)];
  }
}

function unknownName(name: string, error: ErrorObject, part: Part): Explanation {
  const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
  const near = nearestName(name, known);
  const kind = part === 'querystring' ? 'parameter' : 'field';
  const guess = near === undefined ? '' : `, did you mean \`${near}\`?`;
  return [shorten(name), `unknown ${kind} \`${shorten(name)}\`${guess}`];
}

function sentence(error: ErrorObject, params: Readonly<Record<string, unknown>>, part: Part): string {
  const limit = Number(params.limit);
  switch (error.keyword) {
    case 'type':
      return typeSentence(params.type, error, part);
    case 'enum':
      return `must be ${choice((params.allowedValues as readonly unknown[]).filter((one) => one !== null))}`;
    case 'const':
      return `must be ${choice([params.allowedValue])}`;
    case 'anyOf':
    case 'oneOf':
      return unionSentence(error);
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${count(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${count(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${count(limit, 'item')}`;
    case 'minProperties':
      return `must have at least ${count(limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${count(limit, 'field')}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'pattern':
      return `must match ${String(params.pattern)}`;
    case 'format':
      return FORMATS[String(params.format)] ?? `must be a ${String(params.format)}`;
    default:
      return error.message ?? 'is not valid';
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be an ISO 8601 date and time such as 2030-01-31T09:30:00Z',
  uri: 'must be a URL such as https://example.org/path',
};

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

function typeSentence(wanted: unknown, error: ErrorObject, part: Part): string {
  if (part === 'body' && error.instancePath === '' && error.data === null) return 'a JSON body is required';
  if (part === 'querystring' && Array.isArray(error.data)) return 'must be given once';
  const names = (Array.isArray(wanted) ? wanted : String(wanted).split(',')) as readonly string[];
  return `must be ${names.map((name) => TYPES[name] ?? name).join(' or ')}`;
}

function unionSentence(error: ErrorObject): string {
  const branches = error.schema as readonly { readonly const?: unknown; readonly type?: string }[];
  if (branches.every((branch) => branch.const !== undefined)) {
    return `must be ${choice(branches.map((branch) => branch.const))}`;
  }
  const types = branches.map((branch) => branch.type);
  if (new Set(types).size === types.length && !types.includes(undefined)) {
    return `must be ${types.map((type) => TYPES[String(type)] ?? type).join(' or ')}`;
  }
  return 'has none of the allowed forms: see the reference of this endpoint';
}

/** "`high`, `normal` or `low`" */
function choice(values: readonly unknown[]): string {
  const quoted = values.map((value) => `\`${String(value)}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

function shorten(name: string): string {
  return name.length <= LONGEST_REPEATED ? name : `${name.slice(0, LONGEST_REPEATED)}…`;
}
