import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { heartbeat, isDead, LEASE_MS, reclaim, unregister } from '../../src/outbox/lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  claimDue,
  emptyOutbox,
  enqueueEach,
  newWorker,
  outboxRows,
  silence,
  times,
} from '../support/outbox.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => emptyOutbox(test.db));

async function workerWith(count: number): Promise<number> {
  await enqueueEach(test.db, times(count));
  const epoch = await newWorker(test.db);
  expect(await claimDue(test.db, epoch, count)).toHaveLength(count);
  return epoch;
}

const workers = async () =>
  (await test.db.many(adHoc<{ epoch: number }>('SELECT epoch FROM workers ORDER BY epoch'))).map(
    (row) => row.epoch,
  );

describe('reclaiming', () => {
  it('gives back what silent workers hold, and only that', async () => {
    const [dead, alive, alsoDead] = [await workerWith(2), await workerWith(3), await workerWith(4)];
    await silence(test.db, dead, LEASE_MS + 1_000);
    await silence(test.db, alive, LEASE_MS - 5_000);
    await silence(test.db, alsoDead, LEASE_MS + 1_000);
    expect(await reclaim(test.db)).toBe(6);
    const holders = (await outboxRows(test.db)).map((row) => row.worker);
    expect(holders.filter((worker) => worker === alive)).toHaveLength(3);
    expect(holders.filter((worker) => worker === null)).toHaveLength(6);
  });

  it('gives back what a worker holds that nobody knows', async () => {
    const epoch = await workerWith(1);
    await test.db.exec(adHoc('DELETE FROM workers WHERE epoch = $1'), [epoch]);
    expect(await reclaim(test.db)).toBe(1);
  });

  it('counts the attempt that was cut off: it may have reached the server', async () => {
    await silence(test.db, await workerWith(1), LEASE_MS + 1_000);
    await reclaim(test.db);
    expect(await outboxRows(test.db)).toMatchObject([{ worker: null, attempt: 1 }]);
  });

  it('finds nothing while all are well', async () => {
    await workerWith(2);
    expect(await reclaim(test.db)).toBe(0);
  });

  it('gives a row back once when two notice at the same moment', async () => {
    await silence(test.db, await workerWith(20), LEASE_MS + 1_000);
    const counts = await Promise.all([reclaim(test.db), reclaim(test.db), reclaim(test.db)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
  });

  it('forgets workers that have been silent for a day', async () => {
    const [old, recent] = [await newWorker(test.db), await newWorker(test.db)];
    await silence(test.db, old, 25 * 3_600_000);
    await silence(test.db, recent, 23 * 3_600_000);
    await reclaim(test.db);
    expect(await workers()).toEqual([recent]);
  });
});

describe('a heartbeat', () => {
  it('keeps what the worker holds', async () => {
    const epoch = await workerWith(1);
    await silence(test.db, epoch, LEASE_MS + 1_000);
    expect(await heartbeat(test.db, epoch)).toBe(true);
    expect(await reclaim(test.db)).toBe(0);
  });

  it('tells a worker that it was forgotten', async () => {
    const epoch = await newWorker(test.db);
    await unregister(test.db, epoch);
    expect(await heartbeat(test.db, epoch)).toBe(false);
  });
});

describe('unregistering', () => {
  it('gives back what the worker still holds, and leaves the others alone', async () => {
    const [leaving, staying] = [await workerWith(2), await workerWith(1)];
    await unregister(test.db, leaving);
    expect(await workers()).toEqual([staying]);
    const holders = (await outboxRows(test.db)).map((row) => row.worker);
    expect(holders.filter((worker) => worker === null)).toHaveLength(2);
    expect(holders.filter((worker) => worker === staying)).toHaveLength(1);
  });

  it('is harmless when done twice', async () => {
    const epoch = await workerWith(1);
    await unregister(test.db, epoch);
    await unregister(test.db, epoch);
    expect(await workers()).toEqual([]);
  });

  it('never hands the same epoch out again', async () => {
    const first = await newWorker(test.db);
    await unregister(test.db, first);
    expect(await newWorker(test.db)).toBeGreaterThan(first);
  });
});

describe('a worker counts as dead', () => {
  const here = (running: boolean) => ({ host: 'test', isRunning: () => running });
  const elsewhere = { host: 'another-machine', isRunning: () => false };

  it('when nobody knows it', async () => {
    expect(await isDead(test.db, 999_999, here(true))).toBe(true);
  });

  it('when it was silent for a whole lease, wherever it ran', async () => {
    const epoch = await newWorker(test.db);
    await silence(test.db, epoch, LEASE_MS + 1_000);
    expect(await isDead(test.db, epoch, elsewhere)).toBe(true);
    expect(await isDead(test.db, epoch, here(true))).toBe(true);
  });

  it('when its process is gone from this machine, without waiting for the lease', async () => {
    const epoch = await newWorker(test.db);
    expect(await isDead(test.db, epoch, here(false))).toBe(true);
    expect(await isDead(test.db, epoch, here(true))).toBe(false);
  });

  it('but not because a process of another machine is not found on this one', async () => {
    expect(await isDead(test.db, await newWorker(test.db), elsewhere)).toBe(false);
  });
});
