/** The request that an operation's examples make: one for all languages. */
import { type Document, type Endpoint, jsonSchemaOf, type Operation } from '../../src/http/docs-document.ts';
import { exampleOf } from '../../src/http/example-values.ts';

/** Who is asking: a program with a key, somebody who is signed in, or anybody. */
export type Caller = 'key' | 'session' | 'anybody';

export interface ExampleRequest {
  /** `POST /emails/{id}/cancel` */
  readonly operation: string;
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  /** What has to be there. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly caller: Caller;
  /** The answer goes on until somebody hangs up. */
  readonly isStream: boolean;
}

export function exampleRequest({ method, path, operation }: Endpoint, document: Document): ExampleRequest {
  const valuesIn = (place: string) =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((one) => one.in === place && one.required === true)
        .map(({ name, example, schema = {} }) => [
          name,
          String(example ?? exampleOf(schema, document, name)),
        ]),
    );
  return {
    operation: `${method} ${path}`,
    method,
    params: valuesIn('path'),
    query: valuesIn('query'),
    body: exampleBody(operation, document),
    caller: callerOf(operation),
    isStream: operation.responses?.['200']?.content?.['text/event-stream'] !== undefined,
  };
}

/** The example that a whole body has stands beside its schema; others are put together from their fields. */
function exampleBody({ requestBody }: Operation, document: Document): unknown {
  const schema = jsonSchemaOf(requestBody);
  return schema && (requestBody?.content?.['application/json']?.example ?? exampleOf(schema, document));
}

function callerOf(operation: Operation): Caller {
  if (operation.security?.length === 0) return 'anybody';
  return operation['x-access'] === undefined ? 'key' : 'session';
}

/** What comes after the address of the installation. */
export function targetOf({ operation, params, query }: ExampleRequest): string {
  const path = operation
    .slice(operation.indexOf(' ') + 1)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const asked = new URLSearchParams(Object.entries(query)).toString();
  return `/api/v1${path}${asked === '' ? '' : `?${asked}`}`;
}

/** A header that an example sends: some text, with a variable of the environment at its end. */
interface ExampleHeader {
  readonly name: string;
  readonly text: string;
  readonly variable?: string;
}

/** A browser says by itself where a request comes from; other programs have to. */
export function headersOf({ caller, body }: ExampleRequest): ExampleHeader[] {
  const who: Readonly<Record<Caller, readonly ExampleHeader[]>> = {
    key: [{ name: 'Authorization', text: 'Bearer ', variable: 'POSTRIDER_API_KEY' }],
    session: [
      { name: 'Cookie', text: 'postrider_session=', variable: 'POSTRIDER_SESSION' },
      { name: 'Sec-Fetch-Site', text: 'same-origin' },
    ],
    anybody: [],
  };
  const json = body === undefined ? [] : [{ name: 'Content-Type', text: 'application/json' }];
  return [...who[caller], ...json];
}
