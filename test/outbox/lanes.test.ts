import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { arrivals, type Lane, patrol } from '../../src/outbox/lanes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { claimDue, emptyOutbox, enqueueEach, newWorker, times } from '../support/outbox.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => emptyOutbox(test.db));

const names = (lanes: readonly Lane[]) =>
  lanes.map(({ domain, organizationId, priority }) => `${domain} ${organizationId} ${priority}`).sort();

describe('arrivals', () => {
  it('names each lane with something due once, whatever is in it', async () => {
    await enqueueEach(test.db, [
      ...times(50, { dueAgoMs: 10 }),
      { domain: 'example.net', organizationId: 'org_b', priority: 'high', dueAgoMs: 10 },
    ]);
    const { lanes } = await arrivals(test.db, null, 5_000);
    expect(names(lanes)).toEqual(['example.net org_b 0', 'example.org org_a 1']);
  });

  it('leaves out what is not due, what is claimed, and what was due before it looked back', async () => {
    await enqueueEach(test.db, [{ domain: 'claimed.test', dueAgoMs: 10 }]);
    await claimDue(test.db, await newWorker(test.db), 10);
    await enqueueEach(test.db, [
      { domain: 'later.test', dueAgoMs: -60_000 },
      { domain: 'old.test', dueAgoMs: 60_000 },
    ]);
    expect((await arrivals(test.db, null, 5_000)).lanes).toEqual([]);
  });

  it('goes on where the last look ended, and tells the time of the database', async () => {
    const before = await arrivals(test.db, null, 1_000);
    await test.db.exec(adHoc('SELECT pg_sleep(0.05)'));
    await enqueueEach(test.db, [{ dueAgoMs: 0 }, { domain: 'old.test', dueAgoMs: 60_000 }]);
    await test.db.exec(adHoc('SELECT pg_sleep(0.05)'));
    const after = await arrivals(test.db, before.upToMs, 0);
    expect(after.upToMs).toBeGreaterThan(before.upToMs);
    expect(names(after.lanes)).toEqual(['example.org org_a 1']);
  });
});

describe('a patrol', () => {
  it('goes through all lanes in steps, and tells which have something due', async () => {
    await enqueueEach(test.db, [
      ...times(20, { domain: 'a.test' }),
      { domain: 'a.test', priority: 'high', dueAgoMs: -60_000 },
      { domain: 'b.test', dueAgoMs: -60_000 },
      { domain: 'b.test', organizationId: 'org_b', dueAgoMs: 3_600_000 },
      { domain: 'b.test', organizationId: 'org_b', dueAgoMs: -60_000 },
      { domain: 'c.test', priority: 'low' },
    ]);
    const found: Lane[] = [];
    let steps = 0;
    let at: Lane | null = null;
    do {
      const { dueLanes, next } = await patrol(test.db, at, 2);
      found.push(...dueLanes);
      at = next;
      steps += 1;
    } while (at !== null);
    expect(steps).toBe(3);
    expect(names(found)).toEqual(['a.test org_a 1', 'b.test org_b 1', 'c.test org_a 2']);
  });

  it('passes over lanes whose mail is all claimed', async () => {
    await enqueueEach(test.db, times(3));
    await claimDue(test.db, await newWorker(test.db), 10);
    expect(await patrol(test.db, null, 10)).toEqual({ dueLanes: [], next: null });
  });
});
