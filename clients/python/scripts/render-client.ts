/** Writes the whole generated part: types, the names of operations, and the methods, once for each kind of client. */
import type { ApiDocument, Operation, Parameter, Schema } from '../../../sdk/scripts/api-schema.ts';
import { docstring, isIdentifier, pascal, TypeBook, union } from './render-types.ts';
import { type MethodPlan, SURFACE } from './surface.ts';

const HEADING =
  '# Made from the OpenAPI document by `npx tsx clients/python/scripts/generate.ts`. Do not edit.\n';
const IDEMPOTENCY_KEY = 'idempotency-key';
/** `dry_run` changes what comes back, so there are methods for it. */
const DRY = new Set(['dry_run', 'check_links']);

export type GeneratedFiles = Readonly<
  Record<'types.py' | 'operations.py' | 'resources.py' | 'async_resources.py', string>
>;

interface Method {
  readonly name: string;
  readonly plan: MethodPlan;
  readonly summary: string;
  readonly path: readonly string[];
  readonly query: readonly { name: string; type: string }[];
  readonly body: { readonly type: string; readonly isRequired: boolean } | undefined;
  readonly isKeyed: boolean;
  /** What the method gives, and how it is taken out of the answer. */
  readonly gives: string;
  readonly how: 'data' | 'answer' | 'pages' | 'cursor';
}

export function renderClient(document: ApiDocument): GeneratedFiles {
  const types = new TypeBook();
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    types.addComponent(name, schema);
  const resources = Object.entries(SURFACE).map(([name, { about, methods }]) => ({
    name,
    about,
    methods: Object.entries(methods).map(([method, plan]) =>
      methodOf(document, types, name, method, typeof plan === 'string' ? { operation: plan } : plan),
    ),
  }));
  return {
    'types.py': typesFile(types),
    'operations.py': operationsFile(document),
    'resources.py': resourcesFile(resources, false),
    'async_resources.py': resourcesFile(resources, true),
  };
}

export function operationsOf(document: ApiDocument): [string, Operation][] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        one,
      ]),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function typesFile(types: TypeBook): string {
  return [
    `${HEADING}"""What the API takes and gives, as it names it."""\n`,
    'from __future__ import annotations\n',
    'from typing import Any, Dict, List, Literal, TypedDict, Union\n\n',
    types.render(),
  ].join('\n');
}

function operationsFile(document: ApiDocument): string {
  const operations = operationsOf(document);
  const keyed = operations
    .filter(([, one]) => takesKey(one))
    .map(([name]) => `        ${JSON.stringify(name)},\n`);
  const names = operations.map(([name]) => `    ${JSON.stringify(name)},\n`).join('');
  return [
    `${HEADING}"""The names of all operations."""\n`,
    'from typing import FrozenSet, Literal\n',
    `OperationName = Literal[\n${names}]\n`,
    `#: Those that take an \`Idempotency-Key\`.\nKEYED: FrozenSet[str] = frozenset(\n    [\n${keyed.join('')}    ]\n)\n`,
  ].join('\n');
}

function takesKey({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === IDEMPOTENCY_KEY);
}

function methodOf(
  document: ApiDocument,
  types: TypeBook,
  resource: string,
  name: string,
  plan: MethodPlan,
): Method {
  const operation = operationsOf(document).find(([key]) => key === plan.operation)?.[1];
  if (operation === undefined) throw new Error(`${resource}.${name}: there is no ${plan.operation}.`);
  const prefix = pascal(resource) + pascal(firstWith(resource, plan.operation));
  const parameters = operation.parameters ?? [];
  return {
    name,
    plan,
    summary: operation.summary ?? plan.operation,
    path: parameters.filter((one) => one.in === 'path').map((one) => one.name),
    query: queryOf(parameters, plan).map((one) => ({
      name: one.name,
      type: types.typeOf(one.schema ?? {}, prefix + pascal(one.name)),
    })),
    body: bodyOf(operation, types, prefix, plan),
    isKeyed: takesKey(operation) && plan.query === undefined,
    ...answerOf(operation, types, prefix, plan),
  };
}

/** Methods for the same operation share its types. */
function firstWith(resource: string, operation: string): string {
  const methods = Object.entries(SURFACE[resource]?.methods ?? {});
  const first = methods.find(([, plan]) => (typeof plan === 'string' ? plan : plan.operation) === operation);
  return first?.[0] ?? '';
}

function queryOf(parameters: readonly Parameter[], { query = {}, isEach = false }: MethodPlan): Parameter[] {
  const isDry = 'dry_run' in query;
  return parameters.filter((one) => {
    if (one.in !== 'query' || one.name in query) return false;
    if (DRY.has(one.name)) return isDry;
    return !(isEach && (one.name === 'page' || one.name === 'cursor'));
  });
}

function bodyOf(
  { requestBody }: Operation,
  types: TypeBook,
  prefix: string,
  { field, operation }: MethodPlan,
): Method['body'] {
  const content = Object.entries(requestBody?.content ?? {});
  if (content.length === 0) return undefined;
  // Where a post needs nothing, nothing need be given.
  const needs = requestBody?.content?.['application/json']?.schema?.required ?? [];
  const isRequired = !(operation.startsWith('POST ') && needs.length === 0 && content.length === 1);
  const kinds = content.map(([media, { schema = {} }]) => {
    if (media !== 'application/json') return 'str';
    const inner = field === undefined ? schema : schema.properties?.[field];
    if (inner === undefined) throw new Error(`${prefix} has no field ${field}.`);
    return types.typeOf(inner, field === undefined ? `${prefix}Body` : prefix + pascal(field));
  });
  return { type: union(kinds), isRequired };
}

function answerOf(
  operation: Operation,
  types: TypeBook,
  prefix: string,
  plan: MethodPlan,
): Pick<Method, 'gives' | 'how'> {
  if (plan.returns !== undefined) return { gives: plan.returns, how: 'data' };
  // The last: before 201 there may be what a dry run is answered with.
  const success = Object.entries(operation.responses).findLast(([status]) => status.startsWith('2'));
  const [media, { schema = {} as Schema } = {}] = Object.entries(success?.[1].content ?? {})[0] ?? [];
  if (media !== 'application/json') return { gives: 'str', how: 'answer' };
  const { data, pagination } = schema.properties ?? {};
  if (data === undefined) throw new Error(`${plan.operation} answers without data.`);
  if (pagination === undefined) return { gives: types.typeOf(data, `${prefix}Data`), how: 'data' };
  if (plan.isEach !== true) return { gives: types.typeOf(schema, `${prefix}Page`), how: 'answer' };
  const item = types.typeOf(data.items ?? {}, `${prefix}PageDataItem`);
  return {
    gives: item,
    how: operation.parameters?.some((one) => one.name === 'cursor') ? 'cursor' : 'pages',
  };
}

interface Resource {
  readonly name: string;
  readonly about: string;
  readonly methods: readonly Method[];
}

function resourcesFile(resources: readonly Resource[], isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : '';
  const className = (name: string) => `${prefix}${pascal(name)}Resource`;
  const classes = resources.map(
    ({ name, about, methods }) =>
      `class ${className(name)}:\n${docstring(about, '    ')}\n    def __init__(self, api: ${prefix}Transport) -> None:\n` +
      `        self._api = api\n\n${methods.map((one) => methodText(one, isAsync)).join('\n')}`,
  );
  const fields = resources.map(({ name }) => `        self.${name} = ${className(name)}(api)\n`).join('');
  const all =
    `class ${prefix}Resources:\n    """Every resource of the API, as a field."""\n\n` +
    `    def __init__(self, api: ${prefix}Transport) -> None:\n${fields}`;
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
  return [
    `${HEADING}"""The methods of ${isAsync ? '`AsyncPostrider`' : '`Postrider`'}."""\n`,
    'from __future__ import annotations\n',
    `from typing import ${iterator}, List, Literal, Optional, Union\n`,
    `from .._${isAsync ? 'async_' : ''}transport import ${prefix}Transport\nfrom . import types as t\n\n`,
    [...classes, all].join('\n\n'),
  ].join('\n');
}

function methodText(method: Method, isAsync: boolean): string {
  const { name, summary, how, gives } = method;
  const isEach = how === 'pages' || how === 'cursor';
  const type = qualified(gives);
  const result = isEach ? `${isAsync ? 'AsyncIterator' : 'Iterator'}[${type}]` : type;
  const head = `    ${isAsync && !isEach ? 'async ' : ''}def ${name}(\n${parametersText(method)}    ) -> ${result}:\n`;
  const about = isEach ? `${summary}: all of them, page by page as you read on.` : summary;
  const call = `self._api.${how}(\n${argumentsText(method)}        )`;
  const value = isAsync && !isEach ? `await ${call}` : call;
  // A name of our own: `return` alone would give Any to those who check types strictly.
  const body = `        given: ${result} = ${value}\n        return given\n`;
  return head + docstring(about, '        ') + body;
}

function parametersText({ path, body, query, isKeyed, plan }: Method): string {
  const bodyName = plan.field ?? 'body';
  const given =
    body === undefined
      ? []
      : [
          body.isRequired
            ? `${bodyName}: ${qualified(body.type)}`
            : `${bodyName}: Optional[${qualified(body.type)}] = None`,
        ];
  return [
    'self',
    ...path.map((one) => `${one}: ${one === 'version' || one === 'number' ? 'int' : 'str'}`),
    ...given,
    '*',
    ...query.map(({ name, type }) => `${argument(name)}: Optional[${qualified(type)}] = None`),
    ...(isKeyed ? ['idempotency_key: Optional[str] = None'] : []),
    'timeout: Optional[float] = None',
    'max_retries: Optional[int] = None',
  ]
    .map((one) => `        ${one},\n`)
    .join('');
}

function argumentsText({ path, body, query, isKeyed, plan }: Method): string {
  const dict = (entries: readonly string[]) => `{${entries.join(', ')}}`;
  const fixed = Object.keys(plan.query ?? {}).map((name) => `"${name}": True`);
  const asked = [...query.map(({ name }) => `"${name}": ${argument(name)}`), ...fixed];
  const whole = body?.isRequired ? 'body' : '{} if body is None else body';
  const sent = plan.field === undefined ? whole : dict([`"${plan.field}": ${plan.field}`]);
  return [
    JSON.stringify(plan.operation),
    ...(path.length === 0 ? [] : [`params=${dict(path.map((name) => `"${name}": ${name}`))}`]),
    ...(asked.length === 0 ? [] : [`query=${dict(asked)}`]),
    ...(body === undefined ? [] : [`body=${sent}`]),
    ...(isKeyed ? ['idempotency_key=idempotency_key'] : []),
    'timeout=timeout',
    'max_retries=max_retries',
  ]
    .map((one) => `            ${one},\n`)
    .join('');
}

function argument(name: string): string {
  return isIdentifier(name) ? name : `${name}_`;
}

/** Types are in a module of their own. */
function qualified(type: string): string {
  const own = new Set(['Any', 'Dict', 'List', 'Literal', 'None', 'Union', 'True', 'False']);
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
    word.startsWith('"') || own.has(word) ? word : `t.${word}`,
  );
}
