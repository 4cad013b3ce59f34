/** The code that the dashboard shows to newcomers, run as they would run it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, snippet } from '../../dashboard/src/features/first-steps/snippets.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { isInstalled } from './languages/programs.ts';
import { runProgram } from './languages/run-program.ts';

let server: TestApi;
let org: TestOrganization;
let folder: string;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  folder = await mkdtemp(path.join(tmpdir(), 'postrider-snippets-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

describe('the code for newcomers', () => {
  for (const { key, label } of LANGUAGES) {
    const language = key === 'node' ? 'JavaScript' : label;
    it.skipIf(!isInstalled(language))(
      `sends an email in ${label}`,
      async () => {
        const to = `${key}@example.org`;
        const code = snippet(key, { origin: server.url, from: `hello@${org.domain}`, to });
        const stdout = await runProgram(language, code, folder, { POSTRIDER_API_KEY: org.key });
        const { body } = await server.api('GET', `/emails?to=${to}`, undefined, org.key);
        expect(body.data).toMatchObject([{ subject: `Hello from ${label}` }]);
        expect(stdout).toContain(body.data[0].id);
      },
      120_000,
    );
  }
});
