/**
 * Functions and triggers in schema/functions/previous-release serve processes of the previous release alone, which run
 * beside those of this one during an upgrade.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FunctionFile, functionsOfFiles } from '../../schema/scripts/functions.ts';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';

const HEADER =
  /^-- previous-release: (\d+\.\d+\.\d+) .*\. Drop .* after \d{4}-\d\d-\d\d, from release (\d+\.\d+\.\d+) on\.$/m;

let test: TestDatabase;
let server: TestApi;
let worker: TestWorker | undefined;
let files: FunctionFile[];
beforeAll(async () => {
  test = await createTestDatabase();
  files = (await test.db.transaction(functionsOfFiles)).filter(({ file }) =>
    file.startsWith('previous-release/'),
  );
  server = await startApi({ database: test });
});
afterAll(async () => {
  await worker?.stop();
  await server.stop();
  await test.drop();
});

it('each file says which release needs the function and when it is dropped', () => {
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(({ text }) => !HEADER.test(text)).map(({ file }) => file)).toEqual([]);
});

it('none is left in the release that drops it', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const isDue = ({ text }: FunctionFile) => compareVersions(version, HEADER.exec(text)?.[2] ?? '') >= 0;
  expect(files.filter(isDue).map(({ file }) => file)).toEqual([]);
});

it('this release accepts and delivers mail without them', async () => {
  const signatures = files.map(({ signature }) => signature.replace(/\(.*/s, ''));
  for (const { definition } of files) await test.db.exec(adHoc(dropOf(definition)));
  expect(signatures).toContain('accept_emails');
  const org = await server.createOrganization();
  worker = await startMailWorker(test, {});
  const id = await sendLetter(server, org);
  await until(
    () => server.api('GET', `/emails/${id}`, undefined, org.key),
    ({ body }) => body.data.status === 'delivered',
  );
});

/** Types of the arguments without names and defaults, as DROP FUNCTION takes them; a trigger goes with its function. */
function dropOf(definition: string): string {
  const [, name = '', parameters = ''] = /FUNCTION (\w+)\(([^)]*)\)/.exec(definition) ?? [];
  const given = parameters.split(', ').filter((one) => one !== '' && !one.startsWith('OUT '));
  const types = given.map((one) => one.replace(/ DEFAULT .*/, '').replace(/^\w+ /, ''));
  return `DROP FUNCTION ${name}(${types.join(', ')}) CASCADE`;
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
