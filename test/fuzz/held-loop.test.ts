import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ask, emptyReport } from './ask.ts';
import { type FuzzFixture, openFuzzFixture } from './fixture.ts';
import { type AskedRequest, HeldLoops } from './held-loop.ts';
import { Random } from './random.ts';
import { makeRequest } from './request.ts';

let database: TestDatabase;
let fixture: FuzzFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await openFuzzFixture(database.url, database.db, new URL('planted-hold.mjs', import.meta.url));
}, 120_000);
afterAll(async () => {
  await fixture?.stop();
  await database?.drop();
});

/** Asked at the same time; returns what was found about them. */
async function problemsOf(...names: readonly string[]): Promise<readonly string[]> {
  const report = emptyReport();
  const limits = { seed: 1, forMs: 0, idsPerNoun: 1, limitMs: 15_000 };
  const held = new HeldLoops(fixture, limits);
  const options = { ...limits, onAsked: (asked: AskedRequest) => held.add(asked) };
  const [organization] = fixture.organizations;
  const [caller] = organization.callers;
  if (caller === undefined) throw new Error('The organization has no key.');
  const asked = fixture.api.operations.filter(({ name }) => names.includes(name));
  expect(asked).toHaveLength(names.length);
  await Promise.all(
    asked.map((operation) => {
      const { domain, mark, ids } = organization;
      const random = new Random(1);
      const around = {
        random,
        api: fixture.api,
        domain,
        mark,
        idOf: (noun: string) => ids.pick(noun, random),
      };
      return ask(fixture, makeRequest(operation, 'valid', around), caller, options, report);
    }),
  );
  await held.examine(report);
  return report.problems.map((problem) => problem.split('\n')[0] ?? '');
}

it('finds the request that holds the event loop, and none of those beside it', async () => {
  expect(await problemsOf('GET /suppressions', 'GET /emails', 'GET /domains')).toEqual([
    expect.stringMatching(
      /^GET \/suppressions as full \(valid\): holds the event loop for \d+ ms, every time$/,
    ),
  ]);
});

it('finds nothing wrong with requests that do not hold it', async () => {
  expect(await problemsOf('GET /emails', 'GET /domains')).toEqual([]);
});
