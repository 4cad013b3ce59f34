import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { claim, shareOut } from '../../src/outbox/claim.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { emptyOutbox, enqueueEach, newWorker, outboxRows, times } from '../support/outbox.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => emptyOutbox(test.db));

const idsOf = (claimed: readonly { emailId: string }[]) => claimed.map((one) => one.emailId);
const perOrganization = (claimed: readonly { organizationId: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { organizationId } of claimed) counts[organizationId] = (counts[organizationId] ?? 0) + 1;
  return counts;
};

describe('a claim', () => {
  it('finds nothing in an empty queue', async () => {
    expect(await claim(test.db, await newWorker(test.db), 10)).toEqual([]);
  });

  it("makes what is due the worker's own, and counts the attempt", async () => {
    const [key] = await enqueueEach(test.db, [{}]);
    const epoch = await newWorker(test.db);
    const claimed = await claim(test.db, epoch, 10);
    expect(claimed).toEqual([
      { ...key, domain: 'example.org', attempt: 1, expiresAtMs: expect.any(Number), size: 100 },
    ]);
    expect(await outboxRows(test.db)).toMatchObject([{ worker: epoch, attempt: 1 }]);
  });

  it('leaves alone what is not due yet', async () => {
    await enqueueEach(test.db, [{ dueAgoMs: -60_000 }]);
    expect(await claim(test.db, await newWorker(test.db), 10)).toEqual([]);
    expect(await outboxRows(test.db)).toMatchObject([{ worker: null, attempt: 0 }]);
  });

  it('leaves alone what another worker has', async () => {
    await enqueueEach(test.db, [{}]);
    await claim(test.db, await newWorker(test.db), 10);
    expect(await claim(test.db, await newWorker(test.db), 10)).toEqual([]);
  });

  it('takes no more than asked', async () => {
    await enqueueEach(test.db, times(5));
    const epoch = await newWorker(test.db);
    const sizes = [];
    for (let i = 0; i < 3; i += 1) sizes.push((await claim(test.db, epoch, 2)).length);
    expect(sizes).toEqual([2, 2, 1]);
  });
});

describe('within an organization', () => {
  const mixed = [
    { priority: 'low', dueAgoMs: 60_000 },
    { priority: 'normal', dueAgoMs: 3_000 },
    { priority: 'high', dueAgoMs: 1_000 },
    { priority: 'normal', dueAgoMs: 9_000 },
    { priority: 'high', dueAgoMs: 2_000 },
  ] as const;
  const inOrder = (ids: readonly string[]) => [4, 2, 3, 1, 0].map((index) => ids[index]);

  it('the higher priority comes first, then what has waited longer, claim by claim', async () => {
    const ids = idsOf(await enqueueEach(test.db, mixed));
    const epoch = await newWorker(test.db);
    const claimed: string[] = [];
    for (let i = 0; i < 5; i += 1) claimed.push(...idsOf(await claim(test.db, epoch, 1)));
    expect(claimed).toEqual(inOrder(ids));
  });

  it('one claim hands out its rows in that order too', async () => {
    const ids = idsOf(await enqueueEach(test.db, mixed));
    const epoch = await newWorker(test.db);
    await test.db.transaction(async (tx) => {
      // Whatever plan PostgreSQL picks as the table grows.
      await tx.exec(adHoc('SET LOCAL enable_nestloop = off'));
      expect(idsOf(await claim(tx, epoch, 10))).toEqual(inOrder(ids));
    });
  });

  it('a high priority that is not due yet holds nothing up', async () => {
    const [, due] = await enqueueEach(test.db, [
      { priority: 'high', dueAgoMs: -60_000 },
      { priority: 'low' },
    ]);
    expect(idsOf(await claim(test.db, await newWorker(test.db), 1))).toEqual([due?.emailId]);
  });
});

describe('between organizations', () => {
  it('a flood of one leaves the others their even share', async () => {
    await enqueueEach(test.db, [
      ...times(1_000, { organizationId: 'org_flood', dueAgoMs: 60_000 }),
      ...times(20, { organizationId: 'org_small', dueAgoMs: 10 }),
    ]);
    const claimed = await claim(test.db, await newWorker(test.db), 20);
    expect(perOrganization(claimed)).toEqual({ org_flood: 10, org_small: 10 });
  });

  it('a flood of high priority does not come before the low priority of another', async () => {
    await enqueueEach(test.db, [
      ...times(500, { organizationId: 'org_flood', priority: 'high', dueAgoMs: 60_000 }),
      ...times(5, { organizationId: 'org_small', priority: 'low' }),
    ]);
    const claimed = await claim(test.db, await newWorker(test.db), 10);
    expect(perOrganization(claimed)).toEqual({ org_flood: 5, org_small: 5 });
  });

  it('each gets one when there is just enough room', async () => {
    const organizations = ['org_a', 'org_b', 'org_c', 'org_d'];
    await enqueueEach(test.db, [
      ...times(100, { organizationId: 'org_a' }),
      ...organizations.slice(1).map((organizationId) => ({ organizationId })),
    ]);
    const claimed = await claim(test.db, await newWorker(test.db), 4);
    expect(perOrganization(claimed)).toEqual({ org_a: 1, org_b: 1, org_c: 1, org_d: 1 });
  });

  it('with less room than organizations, nobody gets two before the claim is full', async () => {
    const organizations = Array.from({ length: 10 }, (_, i) => `org_${i}`);
    await enqueueEach(
      test.db,
      organizations.flatMap((organizationId) => times(3, { organizationId })),
    );
    const claimed = await claim(test.db, await newWorker(test.db), 4);
    expect(Object.values(perOrganization(claimed))).toEqual([1, 1, 1, 1]);
  });

  it('nobody is passed over for ever, though there is room for only one at a time', async () => {
    await enqueueEach(test.db, [...times(300, { organizationId: 'org_a' }), { organizationId: 'org_z' }]);
    const epoch = await newWorker(test.db);
    let rounds = 0;
    for (let found = false; !found && rounds < 200; rounds += 1) {
      found = (await claim(test.db, epoch, 1))[0]?.organizationId === 'org_z';
    }
    // Each round is an even chance: 60 without success would be one in 10^18.
    expect(rounds).toBeLessThan(60);
  });

  it('those with nothing due take no share', async () => {
    await enqueueEach(test.db, [
      ...times(10, { organizationId: 'org_a' }),
      ...times(10, { organizationId: 'org_later', dueAgoMs: -60_000 }),
    ]);
    expect(await claim(test.db, await newWorker(test.db), 10)).toHaveLength(10);
  });

  it('shares come out even, and the remainder goes to the first', () => {
    expect([...shareOut(['a', 'b', 'c'], 8)]).toEqual([
      ['a', 3],
      ['b', 3],
      ['c', 2],
    ]);
    expect([...shareOut(['a', 'b', 'c'], 2)]).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });
});

describe('two workers at once', () => {
  it('do not wait for each other: the second takes what the first has not locked', async () => {
    await enqueueEach(test.db, times(10));
    const [one, two] = [await newWorker(test.db), await newWorker(test.db)];
    await test.db.transaction(async (tx) => {
      const first = await claim(tx, one, 6);
      const second = await claim(test.db, two, 10);
      expect([first.length, second.length]).toEqual([6, 4]);
      expect(new Set(idsOf([...first, ...second])).size).toBe(10);
    });
  });

  it('never get the same row, and together get them all', async () => {
    await enqueueEach(test.db, [
      ...times(150, { organizationId: 'org_a' }),
      ...times(150, { organizationId: 'org_b', priority: 'high' }),
    ]);
    const workers = await Promise.all(Array.from({ length: 6 }, () => newWorker(test.db)));
    const taken = await Promise.all(
      workers.map(async (epoch) => {
        const mine: string[] = [];
        for (let i = 0; i < 20; i += 1) mine.push(...idsOf(await claim(test.db, epoch, 20)));
        return { epoch, mine };
      }),
    );
    const all = taken.flatMap(({ mine }) => mine);
    expect(all).toHaveLength(300);
    expect(new Set(all).size).toBe(300);
    const holders = new Map((await outboxRows(test.db)).map((row) => [row.email_id, row]));
    for (const { epoch, mine } of taken) {
      for (const id of mine) expect(holders.get(id)).toMatchObject({ worker: epoch, attempt: 1 });
    }
  });
});
