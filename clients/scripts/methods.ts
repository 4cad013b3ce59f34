/** What the methods of a client take and give, from the OpenAPI document and the list of their names. The same for every language. */
import type { ApiDocument, Operation, Parameter, Schema } from '../../sdk/scripts/api-schema.ts';
import { type MethodPlan, SURFACE } from './surface.ts';

const IDEMPOTENCY_KEY = 'idempotency-key';

/** A dry run takes what the send takes. */
const DRY_RUN = /\/dry-run$/;

/** How a language writes types. */
export interface TypeWriter {
  /** What text is called. */
  readonly text: string;
  /** Objects without a name get the one that is given. */
  typeOf(schema: Schema, name: string): string;
  union(types: readonly string[]): string;
}

export interface Method {
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

export interface Resource {
  readonly name: string;
  readonly about: string;
  readonly methods: readonly Method[];
}

export function resourcesOf(document: ApiDocument, types: TypeWriter): Resource[] {
  const operations = new Map(operationsOf(document));
  return Object.entries(SURFACE).map(([name, { about, methods }]) => ({
    name,
    about,
    methods: Object.entries(methods).map(([method, plan]) =>
      methodOf(operations, types, name, method, typeof plan === 'string' ? { operation: plan } : plan),
    ),
  }));
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

export function takesKey({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === IDEMPOTENCY_KEY);
}

function methodOf(
  operations: ReadonlyMap<string, Operation>,
  types: TypeWriter,
  resource: string,
  name: string,
  plan: MethodPlan,
): Method {
  const operation = operations.get(plan.operation);
  if (operation === undefined) throw new Error(`${resource}.${name}: there is no ${plan.operation}.`);
  const prefix = pascal(resource) + pascal(firstWith(resource, plan.operation.replace(DRY_RUN, '')));
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
    isKeyed: takesKey(operation),
    ...answerOf(operation, types, prefix, plan),
  };
}

/** Methods for the same operation share its types. */
function firstWith(resource: string, operation: string): string {
  const methods = Object.entries(SURFACE[resource]?.methods ?? {});
  const first = methods.find(([, plan]) => (typeof plan === 'string' ? plan : plan.operation) === operation);
  return first?.[0] ?? '';
}

function queryOf(parameters: readonly Parameter[], { isEach = false }: MethodPlan): Parameter[] {
  return parameters.filter(
    (one) => one.in === 'query' && !(isEach && (one.name === 'page' || one.name === 'cursor')),
  );
}

function bodyOf(
  { requestBody }: Operation,
  types: TypeWriter,
  prefix: string,
  { field, operation }: MethodPlan,
): Method['body'] {
  const content = Object.entries(requestBody?.content ?? {});
  if (content.length === 0) return undefined;
  // Where a post needs nothing, nothing need be given.
  const needs = requestBody?.content?.['application/json']?.schema?.required ?? [];
  const isRequired = !(operation.startsWith('POST ') && needs.length === 0 && content.length === 1);
  const kinds = content.map(([media, { schema = {} }]) => {
    if (media !== 'application/json') return types.text;
    const inner = field === undefined ? schema : schema.properties?.[field];
    if (inner === undefined) throw new Error(`${prefix} has no field ${field}.`);
    return types.typeOf(inner, field === undefined ? `${prefix}Body` : prefix + pascal(field));
  });
  return { type: types.union(kinds), isRequired };
}

function answerOf(
  operation: Operation,
  types: TypeWriter,
  prefix: string,
  plan: MethodPlan,
): Pick<Method, 'gives' | 'how'> {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const [media, { schema = {} as Schema } = {}] = Object.entries(success?.[1].content ?? {})[0] ?? [];
  if (media !== 'application/json') return { gives: types.text, how: 'answer' };
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

export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
