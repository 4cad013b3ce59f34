/** MTA-STS policies in the database: sharing between workers, and removal. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { createPolicyStore, deleteOldStsPolicies } from '../../src/delivery/tls/sts-store.ts';
import type { KnownPolicy } from '../../src/protocols/dns/mta-sts.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/durations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.db.exec(adHoc('TRUNCATE mta_sts_policies')));

const known = (change: Partial<KnownPolicy> = {}): KnownPolicy => ({
  id: 'one',
  policy: { mode: 'enforce', mx: ['mx.example.org', '*.example.net'], maxAgeMs: 7 * DAY_MS },
  fetchedAtMs: Date.now() - HOUR_MS,
  ...change,
});

const later = (set: string) => database.db.exec(adHoc(`UPDATE mta_sts_policies SET ${set}`));

it('returns the saved policies of many domains in one statement', async () => {
  const store = createPolicyStore(database.db);
  const saved = known();
  await store.save('example.org', saved);
  expect(await Promise.all([store.find('example.org'), store.find('other.test')])).toEqual([saved, null]);
});

it('keeps the policy that was fetched last when an older one is saved later', async () => {
  const store = createPolicyStore(database.db);
  const newest = known({ id: 'two', fetchedAtMs: Date.now() });
  await store.save('example.org', newest);
  await store.save('example.org', known());
  expect(await store.find('example.org')).toEqual(newest);
});

it('does not store a policy with more than 100 hosts', async () => {
  const store = createPolicyStore(database.db);
  const mx = Array.from({ length: 101 }, (_, i) => `mx${i}.example.org`);
  await store.save('example.org', known({ policy: { mode: 'enforce', mx, maxAgeMs: DAY_MS } }));
  expect(await store.find('example.org')).toBeNull();
});

it('gives each due policy to one worker, and again after an hour if the fetch failed', async () => {
  const stores = [createPolicyStore(database.db), createPolicyStore(database.db)];
  for (const domain of ['a.test', 'b.test', 'c.test']) await stores[0]?.save(domain, known());
  expect(await stores[0]?.takeDue(10)).toEqual([]);
  await later(`refresh_at = now()`);
  const taken = await Promise.all(stores.map((store) => store.takeDue(10)));
  expect(taken.flat().toSorted()).toEqual(['a.test', 'b.test', 'c.test']);
  await later(`refresh_at = refresh_at - interval '1 hour'`);
  expect((await stores[1]?.takeDue(10))?.toSorted()).toEqual(['a.test', 'b.test', 'c.test']);
});

it('does not refresh a policy without mail for a month, until mail uses it again', async () => {
  const store = createPolicyStore(database.db);
  await store.save('example.org', known());
  await later(`refresh_at = now(), used_at = now() - interval '31 days'`);
  expect(await store.takeDue(10)).toEqual([]);
  await store.find('example.org');
  expect(await store.takeDue(10)).toEqual(['example.org']);
});

it('removes expired policies, and the least recently used ones beyond the limit', async () => {
  const store = createPolicyStore(database.db);
  await store.save('over.test', known({ policy: { mode: 'none', mx: [], maxAgeMs: HOUR_MS } }));
  await store.save('old.test', known());
  await later(`used_at = now() - interval '2 days'`);
  await store.save('new.test', known());
  await deleteOldStsPolicies(database.db, 2);
  const find = () => Promise.all(['over.test', 'old.test', 'new.test'].map((one) => store.find(one)));
  expect(await find()).toEqual([null, expect.anything(), expect.anything()]);
  await later(`used_at = used_at - interval '1 hour' WHERE domain = 'old.test'`);
  await deleteOldStsPolicies(database.db, 1);
  expect(await find()).toEqual([null, null, expect.anything()]);
});
