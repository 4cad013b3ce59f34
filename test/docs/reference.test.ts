/** The requests that the examples of the reference make, made of a real installation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ExampleRequest,
  exampleRequest,
  headersOf,
  targetOf,
} from '../../docs-site/reference/request.ts';
import { type Document, type Endpoint, endpointsByTag } from '../../src/http/docs-document.ts';
import { ApiDescription, type Document as FuzzedDocument } from '../fuzz/document.ts';
import { ExampleFixture, NOT_YET } from './example-fixture.ts';

let fixture: ExampleFixture;
let document: Document;
let endpoints: readonly Endpoint[];
let api: ApiDescription;
beforeAll(async () => {
  fixture = await ExampleFixture.start();
  document = (await (await fetch(`${fixture.server.url}/openapi.json`)).json()) as Document;
  api = new ApiDescription(document as unknown as FuzzedDocument);
  endpoints = [...endpointsByTag(document).values()].flat();
});
afterAll(() => fixture?.stop());

/** The example with what the installation has instead of what only stands for it. */
function withRealValues(request: ExampleRequest, values: Readonly<Record<string, string>>): ExampleRequest {
  const params = Object.entries(request.params).map(([name, value]) => [name, values[name] ?? value]);
  const body = JSON.stringify(request.body, (name, value) =>
    KNOWN_TO_READER.has(name) ? values[name] : value,
  );
  return {
    ...request,
    params: Object.fromEntries(params),
    body: body === undefined ? undefined : JSON.parse(body),
  };
}

const KNOWN_TO_READER = new Set(['template_id', 'organization_id', 'token', 'setup_token']);

async function answerTo(endpoint: Endpoint): Promise<{ status: number; text: string }> {
  const name = `${endpoint.method} ${endpoint.path}`;
  const values = await fixture.valuesFor(name);
  const request = withRealValues(exampleRequest(endpoint, document), values);
  const environment: Readonly<Record<string, string>> = {
    POSTRIDER_API_KEY: values.key ?? '',
    POSTRIDER_SESSION: fixture.session,
  };
  const headers = headersOf(request).map(({ name: header, text, variable }) => [
    header,
    text + (variable === undefined ? '' : environment[variable]),
  ]);
  const response = await fetch(fixture.server.url + targetOf(request), {
    method: request.method,
    headers: Object.fromEntries(headers),
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const { status } = response;
  if (!request.isStream) return { status, text: await response.text() };
  const { value } = (await response.body?.getReader().read()) ?? {};
  return { status, text: new TextDecoder().decode(value) };
}

describe('the examples of the reference', () => {
  it('are answered as it says, but for those that need more than one request', async () => {
    const wrong: string[] = [];
    for (const endpoint of endpoints) {
      const name = `${endpoint.method} ${endpoint.path}`;
      const { status, text } = await answerTo(endpoint);
      await fixture.tidyUp(name);
      const documented = Object.keys(endpoint.operation.responses ?? {}).findLast((one) => one < '300');
      const operation = api.operations.find((one) => one.name === name);
      const isGood = status === (NOT_YET[name] ?? Number(documented));
      const problem =
        isGood && operation && text.startsWith('{')
          ? api.problemOfBody(operation, status, JSON.parse(text))
          : null;
      if (!isGood || problem) wrong.push(`${name}: ${status} ${problem ?? text.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
    expect(endpoints.length).toBeGreaterThan(150);
  }, 400_000);

  it('are excused for operations that exist', () => {
    const names = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(NOT_YET).filter((name) => !names.includes(name))).toEqual([]);
  });
});
