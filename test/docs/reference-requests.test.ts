/**
 * The examples of the reference, run in every language as they are written: each makes the request that the operation takes.
 * `reference.test.ts` makes the same requests of a real installation.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { exampleRequest, headersOf, targetOf } from '../../docs-site/reference/request.ts';
import { LANGUAGES, type Language } from '../../docs-site/reference/snippets.ts';
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import { type Document, type Endpoint, endpointsByTag } from '../../src/http/docs-document.ts';
import { isInstalled } from './languages/programs.ts';
import { type RecordedAnswer, type RecordedRequest, Recorder } from './languages/recorder.ts';
import { runAll } from './languages/run-all.ts';

const ENV = { POSTRIDER_API_KEY: 'pr_example', POSTRIDER_SESSION: 'example' };

let document: Document;
let endpoints: readonly Endpoint[];
let recorder: Recorder;
let folder: string;
beforeAll(async () => {
  document = (await apiDocument()) as unknown as Document;
  endpoints = [...endpointsByTag(document).values()].flat();
  recorder = new Recorder(documentedAnswer);
  await recorder.start();
  folder = mkdtempSync(path.join(tmpdir(), 'postrider-reference-'));
});
afterAll(async () => {
  await recorder?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

const nameOf = ({ method, path: place }: Endpoint) => `${method} ${place}`;

/** As the reference shows it: the last success, because before 201 there may be what a dry run is answered. */
function documentedAnswer({ method, target }: RecordedRequest): RecordedAnswer {
  const asked = new URL(target, 'http://installation').pathname;
  const found = endpoints.find(
    (one) =>
      one.method === method && new RegExp(`^/api/v1${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked),
  );
  const success = Object.entries(found?.operation.responses ?? {}).findLast(([status]) => status < '300');
  if (!success) return { status: 404, type: 'text/plain', text: `nothing is at ${method} ${target}` };
  const [type = 'text/plain', content] = Object.entries(success[1].content ?? {})[0] ?? [];
  const example = content?.example ?? '';
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return { status: Number(success[0]), type, text };
}

function expected(endpoint: Endpoint): RecordedRequest {
  const request = exampleRequest(endpoint, document);
  const headers = headersOf(request).map(({ name, text, variable }) => [
    name.toLowerCase(),
    text + (variable === undefined ? '' : ENV[variable as keyof typeof ENV]),
  ]);
  return {
    method: request.method,
    target: targetOf(request),
    headers: Object.fromEntries(headers),
    body: request.body,
  };
}

describe.concurrent('the examples of the reference', () => {
  for (const [language, { write }] of Object.entries(LANGUAGES)) {
    it.skipIf(!isInstalled(language as Language))(
      `make the request of every operation in ${language}`,
      async ({ expect }) => {
        const examples = endpoints.map((endpoint, index) => ({
          name: nameOf(endpoint),
          code: write(exampleRequest(endpoint, document)),
          url: recorder.urlFor(`${language}/${index}`),
        }));
        expect(await runAll(language as Language, examples, path.join(folder, language), ENV)).toBe('');
        const made = endpoints.map((endpoint, index) => {
          // The client for JavaScript asks what is known already before it follows a stream.
          const last = recorder.requests.get(`${language}/${index}`)?.at(-1);
          return [nameOf(endpoint), last];
        });
        expect(made).toEqual(endpoints.map((endpoint) => [nameOf(endpoint), expected(endpoint)]));
        expect(endpoints.length).toBeGreaterThan(150);
      },
      120_000,
    );
  }
});
