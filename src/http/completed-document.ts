/** Completes the OpenAPI document with the headers of responses, and with examples. */
import type { Document, Operation, Parameter, Response } from './docs-document.ts';
import { exampleOf, examplePathValue, nounOf } from './example-values.ts';

const HEADERS = {
  'X-Request-Id': [
    'Id of the request in the log. An id that you send in this header is kept if it is valid.',
    'string',
  ],
  'X-RateLimit-Limit': ['Maximum number of requests per minute.', 'integer'],
  'X-RateLimit-Remaining': ['Number of requests left in this minute.', 'integer'],
  'X-RateLimit-Reset': ['Number of seconds until the next minute begins.', 'integer'],
  'Retry-After': ['Number of seconds to wait before trying again.', 'integer'],
  'Idempotent-Replayed': [
    '`true` if the response repeats the response to an earlier request with the same idempotency key.',
    'string',
  ],
  Allow: ['HTTP methods that the path supports.', 'string'],
} as const satisfies Record<string, readonly [string, string]>;

type HeaderName = keyof typeof HEADERS;

const ALWAYS: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const WAITING = new Set(['429', '503']);

/** A copy with headers on every response, and an example for every body and every success. */
export function completed(document: Document): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, one]) => [method, completedOperation(path, one, document)]),
      ),
    ]),
  );
  return { ...document, paths, components: { ...document.components, headers: sharedHeaders() } };
}

function sharedHeaders(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, [description, type]]) => [name, { description, schema: { type } }]),
  );
}

function completedOperation(path: string, operation: Operation, document: Document): Operation {
  const noun = nounOf(path);
  const isRepeatable = operation.parameters?.some(({ name }) => name === 'idempotency-key') ?? false;
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const names = [...ALWAYS, ...headersOf(status, isRepeatable)];
    return [status, { ...withExample(status, response, document, noun), headers: referred(names) }];
  });
  const { parameters, requestBody } = operation;
  return {
    ...operation,
    ...(requestBody && { requestBody: withBodyExamples(requestBody, document, noun) }),
    ...(parameters && { parameters: parameters.map((one) => withPathExample(path, one)) }),
    responses: Object.fromEntries(responses),
  };
}

function withPathExample(path: string, parameter: Parameter): Parameter {
  if (parameter.in !== 'path' || parameter.example !== undefined) return parameter;
  return { ...parameter, example: examplePathValue(path, parameter.name) };
}

function headersOf(status: string, isRepeatable: boolean): HeaderName[] {
  if (WAITING.has(status)) return ['Retry-After'];
  if (status === '405') return ['Allow'];
  return isRepeatable && (status < '300' || status === '400') ? ['Idempotent-Replayed'] : [];
}

function referred(names: readonly HeaderName[]): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The example of a whole body stands beside its schema; other examples are assembled from their fields. */
function withBodyExamples(
  body: NonNullable<Operation['requestBody']>,
  document: Document,
  noun: string,
): NonNullable<Operation['requestBody']> {
  const content = Object.entries(body.content ?? {}).map(([media, { schema = {}, example }]) => {
    const told = schema.examples?.[0] ?? schema.example;
    const made = media === 'application/json' ? exampleOf(schema, document, '', noun) : told;
    return [media, { schema, example: example ?? made }];
  });
  return { ...body, content: Object.fromEntries(content) };
}

/** A response that is not JSON has its example in its schema. */
function withExample(status: string, response: Response, document: Document, noun: string): Response {
  const [media, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (status >= '300' || media === undefined || !content?.schema) return response;
  const example =
    media === 'application/json'
      ? exampleOf(content.schema, document, '', noun)
      : content.schema.examples?.[0];
  return { ...response, content: { ...response.content, [media]: { ...content, example } } };
}
