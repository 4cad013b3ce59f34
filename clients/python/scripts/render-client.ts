/** Writes the whole generated part: types, the names of operations, and the methods, once for each kind of client. */
import type { ApiDocument } from '../../../sdk/scripts/api-schema.ts';
import {
  type Method,
  operationsOf,
  pascal,
  type Resource,
  resourcesOf,
  takesKey,
} from '../../scripts/methods.ts';
import { docstring, isIdentifier, TypeBook } from './render-types.ts';

const HEADING =
  '# Made from the OpenAPI document by `npx tsx clients/python/scripts/generate.ts`. Do not edit.\n';

export type GeneratedFiles = Readonly<
  Record<'types.py' | 'operations.py' | 'resources.py' | 'async_resources.py', string>
>;

export function renderClient(document: ApiDocument): GeneratedFiles {
  const types = new TypeBook();
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    types.addComponent(name, schema);
  const resources = resourcesOf(document, types);
  return {
    'types.py': typesFile(types),
    'operations.py': operationsFile(document),
    'resources.py': resourcesFile(resources, false),
    'async_resources.py': resourcesFile(resources, true),
  };
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
  const asked = query.map(({ name }) => `"${name}": ${argument(name)}`);
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
