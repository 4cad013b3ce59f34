import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { claim, claimEarly, claimExpired } from '../../src/outbox/claim.ts';
import { unregister } from '../../src/outbox/lease.ts';
import { release, settleDeferred } from '../../src/outbox/settle.ts';
import { type Claimant, type Priority, priorityRank } from '../../src/outbox/states.ts';
import type { Mode } from '../../src/runtime/config.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { emptyOutbox, enqueueEach, newWorker, outboxRows, times } from '../support/outbox.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => emptyOutbox(test.db));

const newClaimant = async (mode: Mode = 'live'): Promise<Claimant> => ({
  epoch: await newWorker(test.db),
  mode,
});
const idsOf = (claimed: readonly { emailId: string }[]) => claimed.map((one) => one.emailId);
const want = (
  room: number,
  organizationId = 'org_a',
  priority: Priority = 'normal',
  domain = 'example.org',
) => ({
  domain,
  organizationId,
  priority: priorityRank(priority),
  room,
});

describe('a claim', () => {
  it('finds nothing in an empty queue', async () => {
    expect(await claim(test.db, await newClaimant(), [want(10)])).toEqual([]);
  });

  it("makes what is due the worker's own, and counts the attempt", async () => {
    const [key] = await enqueueEach(test.db, [{}]);
    const claimant = await newClaimant();
    const claimed = await claim(test.db, claimant, [want(10)]);
    expect(claimed).toEqual([
      {
        ...{ ...key, domain: 'example.org', priority: 1, attempt: 1, size: 100 },
        ...{
          firstAttemptAtMs: expect.any(Number),
          expiresAtMs: expect.any(Number),
          dueAtMs: expect.any(Number),
          waitedMs: expect.any(Number),
        },
      },
    ]);
    expect(await outboxRows(test.db)).toMatchObject([{ worker: claimant.epoch, attempt: 1 }]);
  });

  it('leaves alone what is not due yet', async () => {
    await enqueueEach(test.db, [{ dueAgoMs: -60_000 }]);
    expect(await claim(test.db, await newClaimant(), [want(10)])).toEqual([]);
    expect(await outboxRows(test.db)).toMatchObject([{ worker: null, attempt: 0 }]);
  });

  it('leaves alone what another worker has', async () => {
    await enqueueEach(test.db, [{}]);
    await claim(test.db, await newClaimant(), [want(10)]);
    expect(await claim(test.db, await newClaimant(), [want(10)])).toEqual([]);
  });

  it('leaves alone what was accepted in another mode, in either direction', async () => {
    for (const [mode, other] of [
      ['sandbox', 'live'],
      ['live', 'sandbox'],
    ] as const) {
      const [own] = idsOf(await enqueueEach(test.db, [{ mode }, { mode: other, dueAgoMs: 60_000 }]));
      expect(idsOf(await claim(test.db, await newClaimant(mode), [want(10)]))).toEqual([own]);
      await emptyOutbox(test.db);
    }
  });

  it('takes from each lane what was asked of it, and nothing of others', async () => {
    await enqueueEach(test.db, [
      ...times(5),
      ...times(5, { priority: 'high' }),
      ...times(5, { organizationId: 'org_b' }),
      ...times(5, { domain: 'example.net' }),
    ]);
    const wants = [want(2), want(3, 'org_b'), want(1, 'org_a', 'normal', 'example.net')];
    const claimed = await claim(test.db, await newClaimant(), wants);
    const lanes = claimed.map((one) => `${one.domain} ${one.organizationId} ${one.priority}`).sort();
    expect(lanes).toEqual([
      'example.net org_a 1',
      ...Array.from({ length: 2 }, () => 'example.org org_a 1'),
      ...Array.from({ length: 3 }, () => 'example.org org_b 1'),
    ]);
  });

  it('takes what has waited longest first, and hands it out in that order', async () => {
    const ages = [3_000, 9_000, 1_000, 5_000];
    const ids = idsOf(
      await enqueueEach(
        test.db,
        ages.map((dueAgoMs) => ({ dueAgoMs })),
      ),
    );
    const claimant = await newClaimant();
    await test.db.transaction(async (tx) => {
      // Whatever plan PostgreSQL picks as the table grows.
      await tx.exec(adHoc('SET LOCAL enable_nestloop = off'));
      expect(idsOf(await claim(tx, claimant, [want(3)]))).toEqual([ids[1], ids[3], ids[0]]);
    });
  });
});

describe('an early claim', () => {
  const GATE = 4_711;
  const atCommit = (body: string) =>
    test.db.exec(
      adHoc(`
        CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER at_commit AFTER UPDATE ON outbox DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION at_commit()`),
    );
  afterEach(() => test.db.exec(adHoc('DROP FUNCTION at_commit CASCADE')));

  it('has its deliveries while the commit still waits, and says when it is done', async () => {
    await atCommit(`PERFORM pg_advisory_xact_lock(${GATE});`);
    const [key] = await enqueueEach(test.db, [{}]);
    const claimant = await newClaimant();
    let committing: Promise<void> = Promise.resolve();
    await test.db.transaction(async (tx) => {
      await tx.exec(adHoc(`SELECT pg_advisory_xact_lock(${GATE})`));
      const { deliveries, committed } = await claimEarly(test.db, claimant, [want(10)]);
      committing = committed;
      expect(idsOf(deliveries)).toEqual([key?.emailId]);
      expect(await outboxRows(test.db)).toMatchObject([{ worker: null }]);
    });
    await committing;
    expect(await outboxRows(test.db)).toMatchObject([{ worker: claimant.epoch }]);
  });

  it('says so when the commit fails, and leaves the deliveries to other workers', async () => {
    await atCommit(`RAISE 'no space';`);
    await enqueueEach(test.db, [{}]);
    const { deliveries, committed } = await claimEarly(test.db, await newClaimant(), [want(10)]);
    expect(deliveries).toHaveLength(1);
    await expect(committed).rejects.toThrow('no space');
    expect(await outboxRows(test.db)).toMatchObject([{ worker: null }]);
  });
});

describe('a claim of what has expired', () => {
  const expire = (ids: readonly string[]) =>
    test.db.exec(
      adHoc(`UPDATE outbox SET expires_at = now() - interval '1 second' WHERE email_id = ANY($1)`),
      [ids],
    );

  it('takes it whether or not it is due, and leaves the rest', async () => {
    const keys = await enqueueEach(test.db, [{ dueAgoMs: -60_000 }, {}, {}]);
    const expired = idsOf(keys).slice(0, 2);
    await expire(expired);
    const claimed = await claimExpired(test.db, await newClaimant(), 10);
    expect(idsOf(claimed).sort()).toEqual([...expired].sort());
  });

  it('leaves it to workers of its own mode', async () => {
    await expire(idsOf(await enqueueEach(test.db, [{ mode: 'sandbox' }])));
    expect(await claimExpired(test.db, await newClaimant('live'), 10)).toEqual([]);
    expect(await claimExpired(test.db, await newClaimant('sandbox'), 10)).toHaveLength(1);
  });

  it('takes no more than asked', async () => {
    await expire(idsOf(await enqueueEach(test.db, times(5))));
    expect(await claimExpired(test.db, await newClaimant(), 2)).toHaveLength(2);
  });
});

describe('two workers at once', () => {
  it('do not wait for each other: the second takes what the first has not locked', async () => {
    await enqueueEach(test.db, times(10));
    const [one, two] = [await newClaimant(), await newClaimant()];
    await test.db.transaction(async (tx) => {
      const first = await claim(tx, one, [want(6)]);
      const second = await claim(test.db, two, [want(10)]);
      expect([first.length, second.length]).toEqual([6, 4]);
      expect(new Set(idsOf([...first, ...second])).size).toBe(10);
    });
  });

  it('never get the same row, and together get them all', async () => {
    await enqueueEach(test.db, [...times(150), ...times(150, { organizationId: 'org_b', priority: 'high' })]);
    const wants = [want(10), want(10, 'org_b', 'high')];
    const workers = await Promise.all(Array.from({ length: 6 }, () => newClaimant()));
    const taken = await Promise.all(
      workers.map(async (claimant) => {
        const mine: string[] = [];
        for (let i = 0; i < 20; i += 1) mine.push(...idsOf(await claim(test.db, claimant, wants)));
        return { epoch: claimant.epoch, mine };
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

describe('the time of the first attempt', () => {
  const ageTheFirst = () =>
    test.db.exec(adHoc(`UPDATE outbox SET first_attempt_at = first_attempt_at - interval '1 day'`));

  it('is that of the claim, not of acceptance', async () => {
    await enqueueEach(test.db, [{ emailId: uuidv7(Date.now() - 3 * DAY_MS) }]);
    const [claimed] = await claim(test.db, await newClaimant(), [want(10)]);
    expect(Date.now() - (claimed?.firstAttemptAtMs ?? 0)).toBeLessThan(DAY_MS);
  });

  it('stays at every later attempt, whichever worker makes it', async () => {
    await enqueueEach(test.db, [{}]);
    const { epoch } = await newClaimant();
    const first = await claim(test.db, { epoch, mode: 'live' }, [want(10)]);
    await settleDeferred(
      test.db,
      epoch,
      first.map((one) => ({ ...one, dueAtMs: 0 })),
    );
    await ageTheFirst();
    const [again] = await claim(test.db, await newClaimant(), [want(10)]);
    expect(again).toMatchObject({ attempt: 2, firstAttemptAtMs: (first[0]?.firstAttemptAtMs ?? 0) - DAY_MS });
  });

  it('stays when the worker died on it: its mail may be with the receiver', async () => {
    await enqueueEach(test.db, [{}]);
    const { epoch } = await newClaimant();
    const [first] = await claim(test.db, { epoch, mode: 'live' }, [want(10)]);
    await unregister(test.db, epoch);
    await ageTheFirst();
    const [again] = await claim(test.db, await newClaimant(), [want(10)]);
    expect(again?.firstAttemptAtMs).toBe((first?.firstAttemptAtMs ?? 0) - DAY_MS);
  });

  it('is not that of a claim that was given back untried', async () => {
    await enqueueEach(test.db, [{}]);
    const { epoch } = await newClaimant();
    const first = await claim(test.db, { epoch, mode: 'live' }, [want(10)]);
    await release(test.db, epoch, first);
    await ageTheFirst();
    const [again] = await claim(test.db, await newClaimant(), [want(10)]);
    expect(again?.firstAttemptAtMs).toBeGreaterThanOrEqual(first[0]?.firstAttemptAtMs ?? 0);
  });
});
