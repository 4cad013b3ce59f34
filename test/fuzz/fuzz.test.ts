import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { FuzzReport } from './ask.ts';
import { type FuzzFixture, openFuzzFixture } from './fixture.ts';
import { fuzz } from './fuzz.ts';
import { TEMPERS } from './request.ts';
import { verdictOn } from './verdict.ts';

/**
 * Everything in every temper, then as many again at random. `npm run fuzz` asks for minutes, tries seeds of its own, and is
 * stricter about time than a shared machine allows.
 */
const REQUESTS = 2_000;
const LIMIT_MS = 15_000;
const SEED = 20_261_115;

let database: TestDatabase;
let fixture: FuzzFixture;
let report: FuzzReport;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await openFuzzFixture(database.url, database.db);
  report = await fuzz(fixture, { seed: SEED, forMs: 0, least: REQUESTS, idsPerNoun: 1, limitMs: LIMIT_MS });
}, 1_200_000);
afterAll(async () => {
  await fixture?.stop();
  await database?.drop();
});

describe('thousands of requests made from the API’s own description', () => {
  it('are all answered as it says, or refused in its words', () => {
    expect(verdictOn(report, fixture)).toEqual([]);
  });

  it('are made for everything it describes, in every temper', () => {
    const asked = fixture.api.operations.flatMap(({ name }) => TEMPERS.map((temper) => `${name} ${temper}`));
    expect(asked.filter((one) => !report.asked.has(one))).toEqual([]);
  });

  it('come in every temper, from every kind of key, and from the other organization', () => {
    expect(Object.values(report.byTemper).every((count) => count > 100)).toBe(true);
    expect(Object.keys(report.byCaller).sort()).toEqual([
      'domain',
      'full',
      'nobody',
      'owner',
      'read',
      'send',
    ]);
    expect(report.raw).toBeGreaterThan(10);
    expect(report.foreign).toBeGreaterThan(500);
  });
});
