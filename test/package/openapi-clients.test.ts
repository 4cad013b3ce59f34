/**
 * A client that openapi-typescript and openapi-fetch make of the API's own document: it compiles, and it sends. Those packages want
 * another TypeScript than this repository has, so they are installed for this test alone, which is skipped without a registry.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../src/http/docs-document.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { installFromNpm } from '../support/npm-packages.ts';

const folder = await mkdtemp(join(tmpdir(), 'postrider-openapi-'));
const isInstalled = await installFromNpm('test/package/openapi-clients', folder);

const COMPILER_OPTIONS = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom'], types: [] },
};

/** What a developer writes: the types of every answer are used, so that one that is wrong does not compile. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { operations, paths } from './api.js';

declare const process: { readonly env: Readonly<Record<string, string>> };
declare const console: { log(text: string): void };
const { API = '', KEY = '', DOMAIN = '' } = process.env;
const client = createClient<paths>({ baseUrl: API, headers: { Authorization: 'Bearer ' + KEY } });

export type Page = operations['listEmails']['responses'][200]['content']['application/json'];
const from = { email: 'hello@' + DOMAIN, name: 'Shop' };
const letter = { from, to: [{ email: 'ada@example.org' }], subject: 'Hello', text: 'It works.' };

const { data, error } = await client.POST('/emails/send', { body: letter });
if (error !== undefined) throw new Error(error.error.message);
const id: string = data.data.message_id;
const asText = await client.POST('/emails/send', {
  params: { header: { 'idempotency-key': 'one' } },
  body: { ...letter, from: 'Shop <hello@' + DOMAIN + '>', to: 'ada@example.org' },
});
const status: string | undefined = asText.data?.data.status;
const tried = await client.POST('/emails/send/dry-run', { body: letter });
const accepted: boolean | undefined = tried.data?.data.accepted;
const one = await client.GET('/emails/{id}', { params: { path: { id } } });
const types = one.data?.data.events.map(({ type }) => type);
const list = await client.GET('/emails', { params: { query: { subject: 'Hello', limit: 5 } } });
const page: Page | undefined = list.data;
const refused = await client.POST('/emails/send', { body: { ...letter, to: [] } });
console.log(JSON.stringify({ status, accepted, types, total: page?.pagination.total_count, field: refused.error?.error.details[0]?.field }));
`;

let server: TestApi;
let org: TestOrganization;
let document: Document;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The example of every request body, as a value of the type that was made for it. */
function examplesOf({ paths }: Document): string {
  const lines = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, requestBody }) => {
      const json = requestBody?.content?.['application/json'];
      if (json === undefined) return [];
      const type = `NonNullable<operations['${operationId}']['requestBody']>['content']['application/json']`;
      return [`export const ${operationId}: ${type} = ${JSON.stringify(json.example)};`];
    }),
  );
  expect(lines.length).toBeGreaterThan(50);
  return [`import type { operations } from './api.js';`, ...lines].join('\n');
}

async function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const options = { cwd: folder, timeout: 280_000, env: { PATH: process.env.PATH, ...env } };
  const ended = promisify(execFile)(process.execPath, [program, ...args], options);
  const { stdout } = await ended.catch((error) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

describe.skipIf(!isInstalled)('a client made by openapi-typescript and openapi-fetch', () => {
  it('compiles, takes every example of a request body, and sends', async () => {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    await writeFile(join(folder, 'program.ts'), PROGRAM);
    await writeFile(join(folder, 'examples.ts'), examplesOf(document));
    const files = ['program.ts', 'examples.ts'];
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }),
    );
    await run('node_modules/openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'api.d.ts']);
    await run('node_modules/typescript/bin/tsc', ['-p', '.']);
    const env = { API: `${server.url}/api/v1`, KEY: org.key, DOMAIN: org.domain };
    expect(JSON.parse(await run('program.js', [], env))).toEqual({
      ...{ status: 'queued', accepted: true, types: ['queued'], total: 2, field: 'to' },
    });
  }, 600_000);
});
