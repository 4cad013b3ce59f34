import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { takeAway } from '../../src/outbox/lease.ts';
import {
  keyText,
  release,
  releaseOrphanedClaims,
  settleAccepted,
  settleDeferred,
  settleFinal,
} from '../../src/outbox/settle.ts';
import type { ClaimedDelivery } from '../../src/outbox/states.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { claimDue, emptyOutbox, enqueueEach, newWorker, outboxRows, times } from '../support/outbox.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => emptyOutbox(test.db));

/** A worker with so many deliveries in hand. */
async function claimed(count: number): Promise<{ epoch: number; keys: ClaimedDelivery[] }> {
  await enqueueEach(test.db, times(count));
  const epoch = await newWorker(test.db);
  return { epoch, keys: await claimDue(test.db, epoch, count) };
}

describe('a final outcome', () => {
  it('takes the delivery out of the queue, and says which', async () => {
    const { epoch, keys } = await claimed(3);
    const settled = await settleFinal(test.db, epoch, keys.slice(0, 2));
    expect(settled).toEqual(new Set(keys.slice(0, 2).map(keyText)));
    expect((await outboxRows(test.db)).map((row) => row.email_id)).toEqual([keys[2]?.emailId]);
  });

  it('of one recipient leaves the others of the email', async () => {
    const emailId = '01990000-0000-7000-8000-000000000000';
    await enqueueEach(test.db, [
      { emailId, position: 0 },
      { emailId, position: 1 },
    ]);
    const epoch = await newWorker(test.db);
    const keys = await claimDue(test.db, epoch, 10);
    await settleFinal(
      test.db,
      epoch,
      keys.filter((key) => key.position === 0),
    );
    expect(await outboxRows(test.db)).toHaveLength(1);
  });

  it('counts once', async () => {
    const { epoch, keys } = await claimed(1);
    expect((await settleFinal(test.db, epoch, keys)).size).toBe(1);
    expect((await settleFinal(test.db, epoch, keys)).size).toBe(0);
  });

  it('of nothing is no work', async () => {
    const { epoch } = await claimed(0);
    expect(await settleFinal(test.db, epoch, [])).toEqual(new Set());
    expect(await settleDeferred(test.db, epoch, [])).toEqual(new Set());
  });
});

describe('a deferral', () => {
  it('puts the delivery back for later, with its attempt counted', async () => {
    const { epoch, keys } = await claimed(1);
    const dueAtMs = Date.now() + 60_000;
    const settled = await settleDeferred(
      test.db,
      epoch,
      keys.map((key) => ({ ...key, dueAtMs })),
    );
    expect(settled).toEqual(new Set(keys.map(keyText)));
    expect(await outboxRows(test.db)).toMatchObject([
      { worker: null, attempt: 1, due_at: new Date(dueAtMs) },
    ]);
    expect(await claimDue(test.db, epoch, 10)).toEqual([]);
  });

  it('is followed by the next attempt when its time has come', async () => {
    const { epoch, keys } = await claimed(1);
    await settleDeferred(
      test.db,
      epoch,
      keys.map((key) => ({ ...key, dueAtMs: Date.now() - 1_000 })),
    );
    expect(await claimDue(test.db, epoch, 10)).toMatchObject([{ emailId: keys[0]?.emailId, attempt: 2 }]);
  });
});

describe('a release', () => {
  it('gives back what was not tried, without counting an attempt', async () => {
    const { epoch, keys } = await claimed(2);
    await release(test.db, epoch, keys);
    expect(await outboxRows(test.db)).toMatchObject(times(2).map(() => ({ worker: null, attempt: 0 })));
    expect(await claimDue(test.db, await newWorker(test.db), 10)).toMatchObject([
      { attempt: 1 },
      { attempt: 1 },
    ]);
  });

  it('counts an attempt of which was told that it began', async () => {
    const { epoch, keys } = await claimed(1);
    await release(
      test.db,
      epoch,
      keys.map((key) => ({ ...key, isBegun: true })),
    );
    expect(await outboxRows(test.db)).toMatchObject([{ worker: null, attempt: 1 }]);
  });

  it('keeps the attempts that were made before', async () => {
    const { epoch, keys } = await claimed(1);
    await settleDeferred(
      test.db,
      epoch,
      keys.map((key) => ({ ...key, dueAtMs: Date.now() - 1_000 })),
    );
    await release(test.db, epoch, await claimDue(test.db, epoch, 10));
    expect(await outboxRows(test.db)).toMatchObject([{ worker: null, attempt: 1 }]);
  });
});

describe('what is said a second time', () => {
  it('does not touch the attempt that came after', async () => {
    const { epoch, keys } = await claimed(1);
    const past = keys.map((key) => ({ ...key, dueAtMs: Date.now() - 1_000 }));
    await settleDeferred(test.db, epoch, past);
    await claimDue(test.db, epoch, 10);
    expect((await settleDeferred(test.db, epoch, past)).size).toBe(0);
    expect((await settleFinal(test.db, epoch, keys)).size).toBe(0);
    await release(test.db, epoch, keys);
    expect(await outboxRows(test.db)).toMatchObject([{ worker: epoch, attempt: 2 }]);
  });
});

describe('what is claimed and in no hand', () => {
  it('goes back untried, and what is in hand stays', async () => {
    const { epoch, keys } = await claimed(3);
    const { epoch: other } = await claimed(2);
    expect(await releaseOrphanedClaims(test.db, epoch, keys.slice(0, 1))).toBe(2);
    const rows = await outboxRows(test.db);
    expect(rows.filter((row) => row.worker === epoch).map((row) => row.email_id)).toEqual([keys[0]?.emailId]);
    expect(rows.filter((row) => row.worker === null)).toMatchObject([{ attempt: 0 }, { attempt: 0 }]);
    expect(rows.filter((row) => row.worker === other)).toHaveLength(2);
  });
});

/** As another worker does that has watched it be silent. */
const takeFrom = (epoch: number) =>
  test.db.transaction(async (tx) => {
    const [seen] = await tx.many(
      adHoc<{ beat: string }>(
        'SELECT extract(epoch FROM heartbeat_at)::text AS beat FROM workers WHERE epoch = $1',
      ),
      [epoch],
    );
    return takeAway(tx, { epoch, beat: seen?.beat ?? null });
  });

describe('a worker that was taken for dead', () => {
  /** Paused for so long that another worker has its deliveries now. */
  async function overtaken() {
    const { epoch: late, keys } = await claimed(1);
    expect(await takeFrom(late)).toBe(1);
    const current = await newWorker(test.db);
    await claimDue(test.db, current, 10);
    return { late, current, keys };
  }

  it.each([
    ['settle them', (epoch: number, keys: ClaimedDelivery[]) => settleFinal(test.db, epoch, keys)],
    [
      'put them off',
      (epoch: number, keys: ClaimedDelivery[]) =>
        settleDeferred(
          test.db,
          epoch,
          keys.map((key) => ({ ...key, dueAtMs: Date.now() + 60_000 })),
        ),
    ],
    [
      'give them back',
      async (epoch: number, keys: ClaimedDelivery[]) => void (await release(test.db, epoch, keys)),
    ],
  ])('cannot %s any more', async (_what, act) => {
    const { late, current, keys } = await overtaken();
    const before = await outboxRows(test.db);
    expect((await act(late, keys)) ?? new Set()).toEqual(new Set());
    expect(await outboxRows(test.db)).toEqual(before);
    expect(before).toMatchObject([{ worker: current, attempt: 2 }]);
  });

  it('cannot settle what waits for a new owner either', async () => {
    const { epoch, keys } = await claimed(1);
    await takeFrom(epoch);
    expect((await settleFinal(test.db, epoch, keys)).size).toBe(0);
    expect(await outboxRows(test.db)).toHaveLength(1);
  });

  it('settles what a server took all the same, while nobody else has it in hand', async () => {
    const { epoch, keys } = await claimed(1);
    await takeFrom(epoch);
    expect(await settleAccepted(test.db, epoch, keys)).toEqual(new Set(keys.map(keyText)));
    expect(await outboxRows(test.db)).toEqual([]);
  });

  it('comes too late with what a server took when another worker has it in hand', async () => {
    const { late, keys } = await overtaken();
    expect((await settleAccepted(test.db, late, keys)).size).toBe(0);
    expect(await outboxRows(test.db)).toHaveLength(1);
  });
});
