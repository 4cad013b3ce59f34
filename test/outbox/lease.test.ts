import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { type Holder, heartbeat, holders, takeAway, unregister } from '../../src/outbox/lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { claimDue, emptyOutbox, enqueueEach, newWorker, outboxRows, times } from '../support/outbox.ts';

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

async function seen(epoch: number): Promise<Holder> {
  return (await holders(test.db)).find((one) => one.epoch === epoch) as Holder;
}

const takeFrom = (dead: Holder) => test.db.transaction((tx) => takeAway(tx, dead));

describe('taking away', () => {
  it('gives back what the dead worker holds, and only that', async () => {
    const [dead, alive] = [await workerWith(2), await workerWith(3)];
    expect(await takeFrom(await seen(dead))).toBe(2);
    const held = (await outboxRows(test.db)).map((row) => row.worker);
    expect(held.filter((worker) => worker === alive)).toHaveLength(3);
    expect(held.filter((worker) => worker === null)).toHaveLength(2);
    expect(await workers()).toEqual([alive]);
  });

  it('counts the attempt that was cut off: it may have reached the server', async () => {
    await takeFrom(await seen(await workerWith(1)));
    expect(await outboxRows(test.db)).toMatchObject([{ worker: null, attempt: 1 }]);
  });

  it('leaves a worker alone that has beaten since it was looked at', async () => {
    const epoch = await workerWith(1);
    const before = await seen(epoch);
    expect(await heartbeat(test.db, epoch)).toBe(true);
    expect(await takeFrom(before)).toBe(null);
    expect(await outboxRows(test.db)).toMatchObject([{ worker: epoch }]);
    expect(await workers()).toEqual([epoch]);
  });

  it('gives a row back once when several notice at the same moment', async () => {
    const dead = await seen(await workerWith(20));
    const counts = await Promise.all([takeFrom(dead), takeFrom(dead), takeFrom(dead)]);
    expect(counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(20);
  });

  it('tells the worker, by its next heartbeat', async () => {
    const epoch = await workerWith(1);
    await takeFrom(await seen(epoch));
    expect(await heartbeat(test.db, epoch)).toBe(false);
  });
});

describe('those who hold something', () => {
  it('are all that are registered, with a beat that changes', async () => {
    const epoch = await newWorker(test.db);
    const before = await seen(epoch);
    await heartbeat(test.db, epoch);
    const after = await seen(epoch);
    expect(before).toMatchObject({ machine: 'test', pid: process.pid });
    expect(after.beat).not.toBe(before.beat);
  });

  it('are also those whom nobody knows', async () => {
    const epoch = await workerWith(1);
    await test.db.exec(adHoc('DELETE FROM workers WHERE epoch = $1'), [epoch]);
    const unknown = await seen(epoch);
    expect(unknown).toMatchObject({ beat: null });
    expect(await takeFrom(unknown)).toBe(1);
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
