import { describe, expect, it } from 'vitest';
import { DiskWatch, judgeDisk, readDiskSpace, type StatFs, tightest } from './disk-space.ts';
import { createLog } from './log.ts';

const GB = 1024 ** 3;
const disk = (freeBytes: number, totalBytes: number, folder = '/data') => ({ folder, freeBytes, totalBytes });

describe('a disk is', () => {
  it.each([
    ['fine', 100 * GB, 10 * GB],
    ['low', 100 * GB, 10 * GB - 1],
    ['low', 100 * GB, 1 * GB],
    ['full', 100 * GB, 1 * GB - 1],
    ['full', 100 * GB, 0],
    ['low', 10_000 * GB, 2 * GB],
    ['low', 4 * GB, 0.2 * GB],
    ['full', 4 * GB, 0.2 * GB - 1],
    ['fine', 4 * GB, 0.4 * GB],
  ] as const)('%s, of %d bytes with %d left', (state, total, free) => {
    expect(judgeDisk(disk(free, total))).toBe(state);
  });

  it('full until more than the reserve is free, so that the state does not flap', () => {
    expect(judgeDisk(disk(1.05 * GB, 100 * GB), true)).toBe('full');
    expect(judgeDisk(disk(1.1 * GB, 100 * GB), true)).toBe('low');
  });
});

describe('of several disks', () => {
  it('the one with the smallest free share counts', () => {
    const [roomy, tight] = [disk(5 * GB, 10 * GB, '/a'), disk(50 * GB, 1_000 * GB, '/b')];
    expect(tightest([roomy, null, tight])).toBe(tight);
    expect(tightest([null])).toBeNull();
  });
});

describe('the watch', () => {
  it('reads the real disk', async () => {
    const space = await readDiskSpace('/');
    expect(space?.freeBytes).toBeGreaterThan(0);
    expect(space?.totalBytes).toBeGreaterThanOrEqual(space?.freeBytes ?? 0);
  });

  it('treats an unreadable folder as fine', async () => {
    const watch = new DiskWatch({
      folders: async () => ['/no/such/folder'],
      log: createLog('test', 'silent'),
    });
    await watch.start();
    expect([watch.state, watch.space]).toEqual(['fine', null]);
    await watch.stop();
  });

  it('follows the disk from fine over low to full and back', async () => {
    let free = 50;
    const statfs: StatFs = async () => ({ bsize: GB, blocks: 100, bavail: free });
    const watch = new DiskWatch({ folders: async () => ['/data'], log: createLog('test', 'silent'), statfs });
    await watch.start();
    const seen = [watch.state];
    for (free of [5, 0.5, 1.05, 2, 50]) {
      await watch.look();
      seen.push(watch.state);
    }
    expect(seen).toEqual(['fine', 'low', 'full', 'full', 'low', 'fine']);
    await watch.stop();
  });
});
