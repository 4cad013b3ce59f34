/** What the guides show in several languages, run in each that is installed here. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { blocksOf, placeOf } from './blocks.ts';
import { isInstalled, languageOf } from './languages/programs.ts';
import { runProgram } from './languages/run-program.ts';
import { pages } from './pages.ts';

const EXAMPLES = pages()
  .flatMap(blocksOf)
  // Examples with a name are run by tests of their own.
  .filter(({ note }) => !note?.startsWith('example:'))
  .flatMap((block) => (block.tab === null ? [] : [{ ...block, tab: languageOf(block.tab) }]));

let server: TestApi;
let org: TestOrganization;
let folder: string;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  await server.addVerifiedDomain(org.id, 'sandbox.test');
  folder = await mkdtemp(path.join(tmpdir(), 'postrider-languages-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

describe('an example in several languages', () => {
  for (const { tab, code, ...block } of EXAMPLES) {
    it.skipIf(!isInstalled(tab))(
      `sends an email in ${tab} (${placeOf({ tab, code, ...block })})`,
      async () => {
        const here = code.replaceAll('http://127.0.0.1:3000', server.url);
        const stdout = await runProgram(tab, here, folder, { POSTRIDER_API_KEY: org.key });
        const subject = `Hello from ${tab}`;
        const { body } = await server.api('GET', '/emails?limit=100', undefined, org.key);
        const sent = body.data.find((email: { subject: string }) => email.subject === subject);
        expect(stdout).toContain(sent?.id ?? 'an email with that subject');
      },
      120_000,
    );
  }

  it.each([
    ['docs/start/quick-start.md', ['curl', 'JavaScript', 'Python', 'PHP', 'Ruby', 'Go']],
    ['README.md', ['curl', 'JavaScript', 'Python', 'PHP']],
  ])('is there in every language that %s promises', (name, languages) => {
    expect(EXAMPLES.filter(({ page }) => page === name).map(({ tab }) => tab)).toEqual(languages);
  });
});
