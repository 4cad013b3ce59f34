/** Writes the OpenAPI document as TypeScript: an interface for each schema, and `Operations` for the requests. */
import type { ApiDocument, Operation, Parameter, Schema } from './api-schema.ts';

const HEADING = `// Made from the OpenAPI document by \`npm run types -w sdk\`. Changes belong into the API's schemas.\n`;

/** Names that would hide one of the language's own. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorEnvelope', Event: 'EmailEvent' };

const IDEMPOTENCY_KEY = 'idempotency-key';
/** Headers that methods of the client send by themselves. */
const SENT_BY_CLIENT = new Set([IDEMPOTENCY_KEY, 'last-event-id']);

export function renderTypes(document: ApiDocument): string {
  const schemas = Object.entries(document.components?.schemas ?? {}).toSorted(byName);
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        one,
      ]),
    )
    .toSorted(byName);
  const parts = [HEADING, ...schemas.map(([name, schema]) => renderSchema(typeName(name), schema))];
  const entries = operations.map(([key, one]) => renderOperation(key, one));
  return [...parts, `export interface Operations {\n${entries.join('')}}\n`, keyedType(operations)].join(
    '\n',
  );
}

/** By code unit, so that the file is the same on every machine. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function renderSchema(name: string, schema: Schema): string {
  const type = typeOf(schema, '');
  const comment = commentOf(schema.description, '');
  return type.startsWith('{')
    ? `${comment}export interface ${name} ${type}\n`
    : `${comment}export type ${name} = ${type};\n`;
}

function renderOperation(key: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const given = (place: Parameter['in']) =>
    parameters.filter((one) => one.in === place && !SENT_BY_CLIENT.has(one.name));
  if (given('header').length > 0) throw new Error(`${key} has a header nobody told the client about.`);
  const fields = [
    `params: ${parametersType(given('path'))};`,
    `query: ${parametersType(given('query'))};`,
    `body: ${bodyType(operation)};`,
    `response: ${responseType(key, operation)};`,
  ];
  const lines = fields.map((field) => `    ${field}\n`).join('');
  return `${commentOf(operation.summary, '  ')}  ${JSON.stringify(key)}: {\n${lines}  };\n`;
}

function keyedType(operations: readonly (readonly [string, Operation])[]): string {
  const keyed = operations.filter(([, one]) => one.parameters?.some(({ name }) => name === IDEMPOTENCY_KEY));
  const names = keyed.map(([key]) => JSON.stringify(key));
  return `/** Those that take an \`Idempotency-Key\`. */\nexport type KeyedOperation = ${names.join(' | ') || 'never'};\n`;
}

function parametersType(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return 'undefined';
  const properties = Object.fromEntries(
    parameters.map((one) => [one.name, { ...one.schema, ...described(one.description) }]),
  );
  const required = parameters.filter((one) => one.required).map((one) => one.name);
  return typeOf({ type: 'object', properties, required, additionalProperties: false }, '    ');
}

function described(description: string | undefined): Schema {
  return description === undefined ? {} : { description };
}

/** Text, where the API also takes a file. */
function bodyType({ requestBody }: Operation): string {
  const types = Object.entries(requestBody?.content ?? {}).map(([media, { schema }]) =>
    media === 'application/json' ? typeOf(schema ?? {}, '    ') : 'string',
  );
  if (types.length === 0) return 'undefined';
  return [...types, ...(requestBody?.required === false ? ['undefined'] : [])].join(' | ');
}

function responseType(key: string, { responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  if (success === undefined) throw new Error(`${key} never succeeds.`);
  const [content] = Object.entries(success[1].content ?? {});
  if (content === undefined) return 'undefined';
  const [media, { schema }] = content;
  return media === 'application/json' ? typeOf(schema ?? {}, '    ') : 'string';
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (choices !== undefined) return unionOf(choices.map((choice) => typeOf(choice, indent)));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return schema.properties ? objectType(schema, indent) : 'unknown';
  const nullType = schema.nullable === true ? ['null'] : [];
  return unionOf([...types.map((type) => plainType(type, schema, indent)), ...nullType]);
}

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(typeOf(schema.items ?? {}, indent));
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`There is no type for ${type}.`);
  }
}

function arrayType(item: string): string {
  return /^[\w]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const optional = required.includes(name) ? '' : '?';
    // `| undefined`: a caller who has no value should not have to leave the field out.
    const type = typeOf(schema, inner) + (optional ? ' | undefined' : '');
    return `${commentOf(schema.description, inner)}${inner}${key}${optional}: ${type};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function typeName(name: string): string {
  return RENAMED[name] ?? name;
}

function commentOf(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n`;
}
