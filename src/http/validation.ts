/**
 * Validates requests strictly against their schemas: no coercion, no removal, and all problems reported
 * together. An invalid path parameter is an unknown resource and answers 404.
 */
import { _, Ajv, type ErrorObject, type Options, type SchemaObject, type ValidateFunction } from 'ajv';
import { Problems } from '../runtime/problems.ts';
import { ApiError } from './errors.ts';
import { excerptOf } from './excerpt.ts';
import { lazily, perSchema } from './lazily.ts';
import { queryValues } from './query-values.ts';
import { type Part, schemaProblems } from './schema-problems.ts';
import { assertStrictSchema } from './strict-schema.ts';
import { unstorableText } from './unstorable-text.ts';

interface RouteSchema {
  readonly schema: unknown;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpPart?: string | undefined;
}

type Validator = (data: unknown) => { value: unknown } | { error: Error };

interface Validators {
  /** Stops at the first problem. */
  readonly first: () => ValidateFunction;
  /** Finds all problems. */
  readonly all: () => ValidateFunction;
}

/**
 * Schemas are compiled on first use: all of them together take a large part of the start, and most processes
 * never use most of them. A test compiles all of them, so that a mistake fails the test instead of a
 * customer's request.
 */
export function createValidatorCompiler(compileAtStart = false): (route: RouteSchema) => Validator {
  return ({ schema, method, url, httpPart }) => {
    const part = (httpPart ?? 'body') as Part;
    if (part === 'body' || part === 'querystring') assertStrictSchema(schema, `${method} ${url} ${part}`);
    const validators = validatorsOf(schema as object);
    if (compileAtStart) validators.first();
    const validator = judge(validators, part);
    return part === 'querystring' ? queryValidator(schema, validator) : validator;
  };
}

const FIRST = lazily(() => createAjv({ allErrors: false, verbose: true }));
const ALL = lazily(() => createAjv({ allErrors: true, verbose: true }));
const validatorsOf = perSchema((schema): Validators => {
  const plain = lazily(() => withoutIds(schema) as SchemaObject);
  return {
    first: lazily(() => FIRST().compile(plain())),
    all: lazily(() => ALL().compile(plain())),
  };
});

function judge({ first, all }: Validators, part: Part): Validator {
  return (data) => {
    const quick = first();
    if (quick(data)) return { value: data };
    if (part === 'params') return { error: new ApiError('NOT_FOUND') };
    const thorough = all();
    const excerpt = excerptOf(data);
    if (thorough(excerpt)) return { error: schemaProblems(quick.errors ?? [], data, part).toError() };
    return { error: schemaProblems(thorough.errors ?? [], excerpt, part).toError() };
  };
}

function queryValidator(schema: unknown, validator: Validator): Validator {
  return (query) => {
    const unstorable = unstorableText(query);
    if (unstorable !== undefined) {
      return { error: new Problems().add(unstorable, 'must not contain NUL characters').toError() };
    }
    return validator(queryValues(schema, query));
  };
}

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({
    ...options,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    addUsedSchema: false,
    formats: FORMATS,
  });
  ajv.addVocabulary(['example', 'oneNeeded']);
  for (const [keyword, fits] of Object.entries(LENGTHS)) replaceLength(ajv, keyword, fits);
  ajv.addKeyword({ keyword: 'check', errors: 'full', validate: runCheck });
  return ajv;
}

/**
 * Lengths in characters (code points). Where the number of UTF-16 units already decides, nothing is counted.
 */
const LENGTHS: Readonly<Record<string, (limit: number, text: string) => boolean>> = {
  maxLength: (limit, text) => text.length <= limit || (text.length <= 2 * limit && [...text].length <= limit),
  minLength: (limit, text) => text.length >= 2 * limit || [...text].length >= limit,
};

/** Ajv's own keywords count every character of 20 MiB to find that there are more than 998. */
function replaceLength(ajv: Ajv, keyword: string, validate: (limit: number, text: string) => boolean): void {
  const params = ({ schemaCode }: { schemaCode: unknown }) => _`{limit: ${schemaCode as number}}`;
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'number',
    validate,
    error: { message: keyword, params },
  });
}

/** Addresses are deliberately not a format: a pattern cannot check an address, see protocols/message/. */
const FORMATS = {
  uri: (text: string) => URL.canParse(text),
  'date-time': (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i.test(text) &&
    !Number.isNaN(Date.parse(text)),
};

type Check = (value: unknown, problems: Problems) => void;

interface CheckedSchema {
  readonly type?: string;
  readonly maxItems?: number;
}

interface CheckValidator {
  (check: Check, data: unknown, schema?: CheckedSchema, context?: { instancePath: string }): boolean;
  errors?: Partial<ErrorObject>[];
}

/** See `checked` in schema.ts. */
const runCheck: CheckValidator = (check, data, schema, context) => {
  if (!hasType(data, schema?.type) || isTooLong(data, schema?.maxItems)) return true; // the schema itself reports this problem
  const problems = new Problems();
  check(data, problems);
  runCheck.errors = problems.list.map(({ field, message, kind }) => ({
    keyword: 'check',
    instancePath: context?.instancePath ?? '',
    params: { field, kind },
    message,
  }));
  return !problems.any;
};

/** Skips checks of arrays that are too long: checking 262,144 items blocked the event loop for 60 ms. */
function isTooLong(data: unknown, maxItems = Number.POSITIVE_INFINITY): boolean {
  return Array.isArray(data) && data.length > maxItems;
}

function hasType(data: unknown, type: string | undefined): boolean {
  if (type === 'array') return Array.isArray(data);
  if (type === 'object') return typeof data === 'object' && data !== null && !Array.isArray(data);
  if (type === 'integer') return Number.isInteger(data);
  return typeof data === type;
}

/**
 * Removes names, which are for the OpenAPI document: ajv would report the same `$id` in two places as
 * ambiguous. Values that are judged separately accept anything here.
 */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('judgedApart' in schema) return {};
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$id' && typeof value === 'string') continue;
    copy[key] = key === 'default' || key === 'enum' || key === 'const' ? value : withoutIds(value);
  }
  return copy;
}
