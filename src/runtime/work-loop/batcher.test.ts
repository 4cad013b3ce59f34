import { describe, expect, it } from 'vitest';
import { Batcher, BatcherFullError } from './batcher.ts';

/** A flush that the test completes, one call at a time. */
function controlledFlush() {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const started: (() => void)[] = [];
  return {
    batches,
    release: () => gates.shift()?.(),
    nextStart: () => new Promise<void>((resolve) => started.push(resolve)),
    flush: async (items: readonly number[]) => {
      batches.push([...items]);
      for (const resolve of started.splice(0)) resolve();
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.map((item) => item * 10);
    },
  };
}

describe('a batcher', () => {
  it('flushes together what arrived in one turn, and gives each caller its own result', async () => {
    const batches: number[] = [];
    const batcher = new Batcher<number, number>({
      maxBatchItems: 100,
      maxQueuedItems: 100,
      flush: async (items) => {
        batches.push(items.length);
        return items.map((item) => item * 10);
      },
    });
    expect(await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)])).toEqual([10, 20, 30]);
    expect(batches).toEqual([3]);
  });

  it('gathers the next batch during a flush', async () => {
    const control = controlledFlush();
    const batcher = new Batcher<number, number>({
      maxBatchItems: 2,
      maxQueuedItems: 100,
      flush: control.flush,
    });
    const first = batcher.add(1);
    await control.nextStart();
    const rest = [batcher.add(2), batcher.add(3), batcher.add(4)];
    const second = control.nextStart();
    control.release();
    await first;
    await second;
    expect(control.batches).toEqual([[1], [2, 3]]);
    const third = control.nextStart();
    control.release();
    await third;
    control.release();
    expect(await Promise.all(rest)).toEqual([20, 30, 40]);
  });

  it('lets a batch linger depending on the size of the previous one', async () => {
    const asked: number[] = [];
    const batcher = new Batcher<number, number>({
      maxBatchItems: 100,
      maxQueuedItems: 100,
      lingerMs: (itemsBefore) => {
        asked.push(itemsBefore);
        return 1;
      },
      flush: async (items) => items,
    });
    await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)]);
    await batcher.add(4);
    await batcher.add(5);
    expect(asked).toEqual([0, 3, 1]);
  });

  it('starts a parallel flush only when enough items wait', async () => {
    const control = controlledFlush();
    const batcher = new Batcher<number, number>({
      maxBatchItems: 100,
      maxQueuedItems: 100,
      parallel: 2,
      besideFrom: 3,
      flush: control.flush,
    });
    const all = [batcher.add(1)];
    await control.nextStart();
    all.push(batcher.add(2), batcher.add(3));
    await new Promise((resolve) => setImmediate(resolve));
    expect(control.batches).toEqual([[1]]);
    const beside = control.nextStart();
    all.push(batcher.add(4));
    await beside;
    expect(control.batches).toEqual([[1], [2, 3, 4]]);
    all.push(batcher.add(5));
    control.release();
    control.release();
    await control.nextStart();
    control.release();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50]);
    expect(control.batches.at(-1)).toEqual([5]);
  });

  it('leaves half for the next flush when many items wait', async () => {
    const sizes: number[] = [];
    const batcher = new Batcher<number, number>({
      maxBatchItems: 10,
      maxQueuedItems: 100,
      halveFrom: 4,
      flush: async (items) => {
        sizes.push(items.length);
        return items;
      },
    });
    await Promise.all(Array.from({ length: 30 }, (_, n) => batcher.add(n)));
    expect(sizes).toEqual([10, 10, 5, 4, 1]);
  });

  it('refuses at once when its queue is full, by count and by weight', async () => {
    const control = controlledFlush();
    const byCount = new Batcher<number, number>({
      maxBatchItems: 1,
      maxQueuedItems: 1,
      flush: control.flush,
    });
    const started = control.nextStart();
    const kept = [byCount.add(1)];
    await started;
    kept.push(byCount.add(2));
    await expect(byCount.add(3)).rejects.toBeInstanceOf(BatcherFullError);
    const second = control.nextStart();
    control.release();
    await second;
    control.release();
    await Promise.all(kept);

    const byWeight = new Batcher<number, number>({
      maxBatchItems: 9,
      maxQueuedItems: 9,
      maxQueuedWeight: 10,
      weigh: (item) => item,
      flush: async (items) => items,
    });
    const heavy = byWeight.add(50);
    await expect(byWeight.add(1)).rejects.toBeInstanceOf(BatcherFullError);
    expect(await heavy).toBe(50);
  });

  it('lets one bad item fail alone', async () => {
    const batcher = new Batcher<number, number>({
      maxBatchItems: 10,
      maxQueuedItems: 10,
      retryAlone: () => true,
      flush: async (items) => {
        if (items.includes(2)) throw new Error('two is bad');
        return items;
      },
    });
    const results = await Promise.allSettled([batcher.add(1), batcher.add(2), batcher.add(3)]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects all callers when a flush fails unexpectedly, and continues', async () => {
    let flushes = 0;
    const batcher = new Batcher<number, number>({
      maxBatchItems: 10,
      maxQueuedItems: 10,
      retryAlone: () => {
        throw new Error('nobody foresaw this');
      },
      flush: async (items) => {
        flushes += 1;
        if (flushes === 1) throw new Error('the flush failed');
        return items;
      },
    });
    const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(results).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(await batcher.add(3)).toBe(3);
    await batcher.drained();
  });

  it('resolves when it is drained', async () => {
    const control = controlledFlush();
    const batcher = new Batcher<number, number>({
      maxBatchItems: 1,
      maxQueuedItems: 10,
      flush: control.flush,
    });
    const started = control.nextStart();
    const item = batcher.add(1);
    await started;
    let drained = false;
    const waiting = batcher.drained().then(() => {
      drained = true;
    });
    expect(drained).toBe(false);
    control.release();
    await item;
    await waiting;
    expect(drained).toBe(true);
  });
});
