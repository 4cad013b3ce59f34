import { expect, it } from 'vitest';
import type { Sql } from '../database/sql.ts';
import { BatchFiles } from './batch-attachments.ts';

/** Returns one file of this many bytes, and counts the reads. */
function counting(bytes: number) {
  const asked: unknown[] = [];
  const many = async (_statement: unknown, [, batchId]: readonly unknown[]) => {
    asked.push(batchId);
    return [
      {
        position: 0,
        filename: 'a',
        content_type: 'text/plain',
        content_id: null,
        place: 1,
        piece: Buffer.alloc(bytes),
      },
    ];
  };
  return { asked, files: new BatchFiles({ many } as unknown as Sql) };
}

it('of a batch are read once for all of its emails, also by concurrent readers', async () => {
  const { asked, files } = counting(10);
  const both = await Promise.all([files.of('org', 'one'), files.of('org', 'one')]);
  expect(both[0]).toBe(both[1]);
  expect(await files.of('org', 'one')).toBe(both[0]);
  await files.of('org', 'two');
  expect(asked).toEqual(['one', 'two']);
});

it('of the least recently used batches are evicted if all together are too large', async () => {
  const { asked, files } = counting(15 * 1024 * 1024);
  for (const batch of ['one', 'two', 'one', 'three', 'one', 'two']) await files.of('org', batch);
  expect(asked).toEqual(['one', 'two', 'three', 'two']);
});

it('are read again after a failure', async () => {
  let isBroken = true;
  const many = async () => {
    if (isBroken) throw new Error('down');
    return [];
  };
  const files = new BatchFiles({ many } as unknown as Sql);
  await expect(files.of('org', 'one')).rejects.toThrow('down');
  isBroken = false;
  expect(await files.of('org', 'one')).toEqual([]);
});
