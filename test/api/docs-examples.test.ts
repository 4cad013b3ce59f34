/** Every curl line of /docs, pasted into a shell. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/kit/database/sql.ts';
import { type Endpoint, endpointsByTag } from '../../src/kit/http/docs-document.ts';
import { curlFor } from '../../src/kit/http/docs-example.ts';
import { ExampleWorld, NOT_YET } from '../docs/example-world.ts';
import { ApiDescription, type Document } from '../fuzz/document.ts';

const run = promisify(execFile);
const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

let world: ExampleWorld;
let api: ApiDescription;
let endpoints: readonly Endpoint[];
let document: Document & Parameters<typeof endpointsByTag>[0];

beforeAll(async () => {
  world = await ExampleWorld.start();
  document = (await (await fetch(`${world.server.url}/openapi.json`)).json()) as typeof document;
  api = new ApiDescription(document);
  endpoints = [...endpointsByTag(document).values()].flat();
});
afterAll(() => world?.stop());

/** What the guides tell readers to export. */
async function shellOf(operation: string): Promise<Record<string, string>> {
  const { key = '', ...values } = await world.valuesFor(operation);
  const variables = Object.entries(values).map(([name, value]) => [name.toUpperCase(), value]);
  return { API_KEY: key, SESSION: world.session, ...Object.fromEntries(variables) };
}

async function pasted(endpoint: Endpoint): Promise<{ status: number; text: string }> {
  const line = curlFor(endpoint, { ...document, servers: [{ url: `${world.server.url}/api/v1` }] });
  const quick = line.replace(/^curl/, `curl -s --max-time 20 -w '\\n%{http_code}'`);
  const env = {
    PATH: process.env.PATH ?? '',
    LOOP: 'yahoo_cfl',
    SUBJECT: 'sandbox.test',
    ...(await shellOf(`${endpoint.method} ${endpoint.path}`)),
  };
  const { stdout } = await run('bash', ['-c', quick], { env, maxBuffer: 4 * 1024 * 1024 });
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
}

const STREAM = 'GET /events/stream';

describe.skipIf(!hasCurl)('the examples of /docs', () => {
  it('work when they are pasted, but for those that need more than one line', async () => {
    const wrong: string[] = [];
    for (const endpoint of endpoints) {
      const name = `${endpoint.method} ${endpoint.path}`;
      if (name === STREAM) continue;
      const { status, text } = await pasted(endpoint);
      await world.tidyUp(name);
      const expected = NOT_YET[name];
      const operation = api.operations.find((one) => one.name === name);
      const isGood = expected === undefined ? status >= 200 && status < 300 : status === expected;
      const problem =
        isGood && operation && text.startsWith('{')
          ? api.problemOfBody(operation, status, JSON.parse(text))
          : null;
      if (!isGood || problem) wrong.push(`${name}: ${status} ${problem ?? text.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
    expect(endpoints.length).toBeGreaterThan(80);
  }, 240_000);

  it('follow events, too', async () => {
    const endpoint = endpoints.find((one) => `${one.method} ${one.path}` === STREAM) as Endpoint;
    const line = curlFor(endpoint, { ...document, servers: [{ url: `${world.server.url}/api/v1` }] });
    const followed = run('bash', ['-c', line.replace(/^curl/, 'curl -sN --max-time 3')], {
      env: { PATH: process.env.PATH ?? '', API_KEY: world.org.key },
    }).catch((error: { stdout: string }) => error);
    expect((await followed).stdout).toContain('retry:');
  });

  it('leave what they made', async () => {
    const rows = await world.server.db.many(adHoc(`SELECT 1 FROM emails WHERE organization_id = $1`), [
      world.org.id,
    ]);
    expect(rows.length).toBeGreaterThan(3);
  });
});
