import { describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { WorkLoop } from './loop.ts';

const log = createLog('test', 'silent');
const NEVER_POLLS_MS = 3_600_000;

/** A queue of numbers, and gates that end each item's work. */
function setUp(capacity: number, queue: number[] = []) {
  const started: number[] = [];
  const claims: number[] = [];
  const gates = new Map<number, () => void>();
  const watchers: { count: number; done: () => void }[] = [];
  const loop = new WorkLoop<number>({
    name: 'test',
    log,
    capacity,
    pollMs: NEVER_POLLS_MS,
    drainMs: 5_000,
    claim: async (limit) => {
      claims.push(limit);
      return queue.splice(0, limit);
    },
    work: (item) =>
      new Promise<void>((resolve) => {
        started.push(item);
        gates.set(item, resolve);
        for (const watcher of watchers) if (started.length >= watcher.count) watcher.done();
      }),
  });
  const whenStarted = (count: number) =>
    new Promise<void>((done) => (started.length >= count ? done() : watchers.push({ count, done })));
  return { loop, queue, started, claims, finish: (item: number) => gates.get(item)?.(), whenStarted };
}

describe('a work loop', () => {
  it('never exceeds its capacity, and claims again when there is room', async () => {
    const { loop, started, finish, whenStarted } = setUp(2, [1, 2, 3, 4]);
    await loop.start();
    await whenStarted(2);
    expect(started).toEqual([1, 2]);
    finish(1);
    await whenStarted(3);
    finish(2);
    await whenStarted(4);
    finish(3);
    finish(4);
    await loop.stop();
  });

  it('claims on a wake-up, without waiting for its poll', async () => {
    const { loop, queue, finish, whenStarted } = setUp(4);
    await loop.start();
    queue.push(7);
    loop.wake();
    await whenStarted(1);
    finish(7);
    await loop.stop();
  });

  it('waits for items in progress when it stops, and claims nothing more', async () => {
    const { loop, queue, started, finish, whenStarted } = setUp(4, [1]);
    await loop.start();
    await whenStarted(1);
    const stopping = loop.stop();
    queue.push(2);
    loop.wake();
    finish(1);
    await stopping;
    expect(started).toEqual([1]);
  });

  it('continues after a failed claim', async () => {
    let calls = 0;
    const done = new Promise<void>((resolve) => {
      const loop = new WorkLoop<number>({
        name: 'test',
        log,
        capacity: 1,
        pollMs: NEVER_POLLS_MS,
        drainMs: 1_000,
        claim: async () => {
          calls += 1;
          if (calls === 1) throw new Error('the database is away');
          return calls === 2 ? [1] : [];
        },
        work: async () => {
          setImmediate(() => void loop.stop().then(resolve));
        },
      });
      void loop.start();
    });
    await done;
    expect(calls).toBeGreaterThanOrEqual(2);
  });
});
