/** Writes the generated part: a class for each resource, the shapes of what goes in and out, and the names of operations. */
import type { ApiDocument, Schema } from '../../../sdk/scripts/api-schema.ts';
import {
  type Method,
  operationsOf,
  pascal,
  type Resource,
  resourcesOf,
  takesKey,
} from '../../scripts/methods.ts';
import { namesIn, quoted, ShapeBook } from './render-types.ts';

const HEADING = `<?php

// Made from the OpenAPI document by \`npx tsx clients/php/scripts/generate.ts\`. Do not edit.

declare(strict_types=1);

namespace Postrider\\Generated;
`;

/** Written by hand, on top of what is generated. */
const BY_HAND: Readonly<Record<string, string>> = {
  events: 'Events',
  sandbox: 'Sandbox',
  suppressions: 'Suppressions',
};

/** The files, by name. */
export function renderClient(document: ApiDocument): Record<string, string> {
  const types = new ShapeBook();
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    types.addComponent(name, schema);
  const resources = resourcesOf(document, types);
  return {
    ...Object.fromEntries(resources.map((one) => [`${className(one.name)}.php`, resourceFile(one)])),
    'Operations.php': operationsFile(document),
    'Resources.php': resourcesFile(resources),
    'Shapes.php': shapesFile(types),
  };
}

function className(resource: string): string {
  return `${pascal(resource)}Resource`;
}

export function camel(name: string): string {
  const [first = '', ...others] = name.split('_');
  return first + others.map(pascal).join('');
}

function shapesFile(types: ShapeBook): string {
  const lines = types.shapes().map(([name, type]) => ` * @phpstan-type ${name} ${type}\n`);
  return `${HEADING}
/**
 * What the API takes and gives, as it names it.
 *
${lines.join('')} */
final class Shapes
{
}
`;
}

function operationsFile(document: ApiDocument): string {
  const list = (words: readonly string[]) =>
    words.map((word) => `        ${quoted(word)} => true,\n`).join('');
  const keyed = operationsOf(document)
    .filter(([, one]) => takesKey(one))
    .map(([name]) => name);
  return `${HEADING}
final class Operations
{
    /** Those that take an \`Idempotency-Key\`. */
    public const KEYED = [
${list(keyed)}    ];

    /** Fields that hold an object wherever they are sent: an empty array there is \`{}\`, and not \`[]\`. */
    public const OBJECTS = [
${list(objectFields(document))}    ];
}
`;
}

/** The names that stand for an object in every request that has them. */
function objectFields(document: ApiDocument): string[] {
  const found = new Map<string, boolean>();
  const visit = (schema: Schema): void => {
    for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(choice);
    if (schema.items) visit(schema.items);
    if (schema.$ref) visit(document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      found.set(name, (found.get(name) ?? true) && [inner.type].flat().includes('object'));
      visit(inner);
    }
  };
  for (const [, { requestBody }] of operationsOf(document)) {
    const schema = requestBody?.content?.['application/json']?.schema;
    if (schema) visit(schema);
  }
  return [...found]
    .filter(([, isObject]) => isObject)
    .map(([name]) => name)
    .toSorted();
}

function resourcesFile(resources: readonly Resource[]): string {
  const full = (name: string) => (BY_HAND[name] ? `\\Postrider\\${BY_HAND[name]}` : className(name));
  const properties = resources.map(
    ({ name, about }) => ` * @property-read ${full(name)} $${camel(name)} ${about}\n`,
  );
  const cases = resources.map(
    ({ name }) => `            '${camel(name)}' => new ${full(name)}($this->api),\n`,
  );
  return `${HEADING}
use Postrider\\Http\\Transport;

/**
 * Every resource of the API, as a property; made when it is first used.
 *
${properties.join('')} */
abstract class Resources
{
    /** @var array<string, object> */
    private array $made = [];

    public function __construct(protected readonly Transport $api)
    {
    }

    public function __get(string $name): object
    {
        return $this->made[$name] ??= match ($name) {
${cases.join('')}            default => throw new \\Error("The client has no resource $name."),
        };
    }
}
`;
}

function resourceFile({ name, about, methods }: Resource): string {
  const used = new Set(methods.flatMap((one) => [...inputTypes(one), one.gives].flatMap(namesIn)));
  const imports = [...used].toSorted().map((type) => ` * @phpstan-import-type ${type} from Shapes\n`);
  return `${HEADING}
use Postrider\\Http\\Transport;

/**
 * ${about}
 *
${imports.join('')} * @phpstan-import-type RequestOptions from Transport
 */
class ${className(name)}
{
    public function __construct(protected readonly Transport $api)
    {
    }

${methods.map(methodText).join('\n')}}
`;
}

function inputTypes({ body, query }: Method): string[] {
  return [...(body ? [body.type] : []), ...query.map(({ type }) => type)];
}

function methodText(method: Method): string {
  const { name, summary, how, gives } = method;
  const isEach = how === 'pages' || how === 'cursor';
  const about = isEach ? `${summary}: all of them, page by page as you read on.` : `${summary}.`;
  const parameters = parametersOf(method);
  const docs = [
    about,
    '',
    ...parameters.map(({ variable, doc }) => `@param ${doc} $${variable}`),
    `@return ${isEach ? `\\Generator<int, ${gives}>` : gives}`,
  ];
  const signature = parameters
    .map(({ native, variable, value }) => `${native} $${variable}${value}`)
    .join(', ');
  const result = isEach ? '\\Generator' : nativeOf(gives);
  return `    /**
${docs.map((line) => `     *${line && ` ${line}`}\n`).join('')}     */
    public function ${camel(name)}(${signature}): ${result}
    {
        return $this->api->${how}(${argumentsText(method)});
    }
`;
}

interface PhpParameter {
  readonly variable: string;
  readonly native: string;
  readonly doc: string;
  readonly value: string;
}

function parametersOf({ path, body, query, plan }: Method): PhpParameter[] {
  const places = path.map((one) => {
    const type = one === 'version' || one === 'number' ? 'int' : 'string';
    return { variable: camel(one), native: type, doc: type, value: '' };
  });
  const isMoment = plan.field?.endsWith('_at') === true;
  const given = body && {
    variable: camel(plan.field ?? 'body'),
    native: isMoment ? '\\DateTimeInterface|string' : nativeOf(body.type),
    doc: isMoment ? '\\DateTimeInterface|string' : body.type,
    value: body.isRequired ? '' : ' = []',
  };
  const asked = query.length > 0 && {
    variable: 'query',
    native: 'array',
    doc: `array{${query.map(({ name, type }) => `${name}?: ${type}|null`).join(', ')}}`,
    value: ' = []',
  };
  const options = { variable: 'options', native: 'array', doc: 'RequestOptions', value: ' = []' };
  return [...places, given, asked, options].filter((one) => one !== undefined && one !== false);
}

function argumentsText({ path, body, query, plan }: Method): string {
  const map = (entries: readonly string[]) => `[${entries.join(', ')}]`;
  const sent = plan.field === undefined ? '$body' : map([`'${plan.field}' => $${camel(plan.field)}`]);
  return [
    quoted(plan.operation),
    ...(path.length === 0 ? [] : [`params: ${map(path.map((one) => `'${one}' => $${camel(one)}`))}`]),
    ...(query.length === 0 ? [] : ['query: [...$query]']),
    ...(body === undefined ? [] : [`body: ${sent}`]),
    'options: $options',
  ].join(', ');
}

/** PHP's own type for a shape. */
function nativeOf(type: string): string {
  const words = splitUnion(type).map((one) => {
    if (/^'/.test(one)) return 'string';
    if (/^-?\d+$/.test(one)) return 'int';
    if (one === 'true' || one === 'false') return 'bool';
    return /^[a-z]+$/.test(one) ? one : 'array';
  });
  const own = [...new Set(words)];
  if (own.includes('mixed')) return 'mixed';
  return own.length === 2 && own.includes('null') ? `?${own.find((one) => one !== 'null')}` : own.join('|');
}

function splitUnion(type: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of type.replaceAll(/'(?:[^'\\]|\\.)*'/g, "''")) {
    if ('<{('.includes(letter)) depth += 1;
    if ('>})'.includes(letter)) depth -= 1;
    if (letter === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}
