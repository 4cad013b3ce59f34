import { describe, expect, it } from 'vitest';
import { type CachedList, ListCache } from './email-lists.ts';
import type { DaySlice } from './list-window.ts';
import type { EmailFilter } from './store-list.ts';

const filter = (subject: string): EmailFilter => ({
  statuses: null,
  fromMs: null,
  toMs: null,
  to: null,
  from: null,
  subject,
  state: null,
  batchId: null,
  tag: null,
  stream: null,
  sentWith: null,
  search: null,
});

const slice = (day: string, stamp = '1-0'): DaySlice => ({
  day,
  stamp,
  fromMs: 0,
  beforeMs: 1,
  whole: true,
  emails: 1,
  ofStatus: 1,
});

const count = (memory: ListCache, subject: string, organizationId = 'org_a') =>
  memory.with(organizationId, filter(subject), async (list) => list.count(slice('2026-03-01')));
const keep = (memory: ListCache, subject: string, use: (list: CachedList) => void) =>
  memory.with('org_a', filter(subject), async (list) => use(list));

describe('the cache of a list', () => {
  it('holds for the same organization and filter', async () => {
    const memory = new ListCache();
    await keep(memory, 'x', (list) => list.keepCount(slice('2026-03-01'), 7));
    expect(await count(memory, 'x')).toBe(7);
    expect(await count(memory, 'y')).toBeUndefined();
    expect(await count(memory, 'x', 'org_b')).toBeUndefined();
  });

  it.each([
    ['stream', { stream: 'bulk' }],
    ['sentWith', { sentWith: 'key_1' }],
    ['from', { from: 'a@example.org' }],
    ['status', { status: 'delivered' }],
  ] as const)('does not hold for another %s', async (_, other) => {
    const memory = new ListCache();
    await keep(memory, 'x', (list) => list.keepCount(slice('2026-03-01'), 7));
    const asked = { ...filter('x'), ...other };
    const counted = memory.with('org_a', asked, async (list) => list.count(slice('2026-03-01')));
    expect(await counted).toBeUndefined();
  });

  it('holds until the day changes', async () => {
    await keep(new ListCache(), 'x', (list) => {
      list.keepCount(slice('2026-03-01', '1-0'), 7);
      list.keepMarks(slice('2026-03-01', '1-0'), ['a']);
      expect(list.count(slice('2026-03-01', '2-0'))).toBeUndefined();
      expect(list.marks(slice('2026-03-01', '2-0'))).toBeUndefined();
      list.keepCount(slice('2026-03-01', '2-0'), 8);
      expect(list.marks(slice('2026-03-01', '2-0'))).toBeUndefined();
    });
  });

  it('keeps counts and marks of a day beside each other', async () => {
    await keep(new ListCache(), 'x', (list) => {
      list.keepCount(slice('2026-03-01'), 7);
      list.keepMarks(slice('2026-03-01'), ['a', 'b']);
      expect(list.count(slice('2026-03-01'))).toBe(7);
      expect(list.marks(slice('2026-03-01'))).toEqual(['a', 'b']);
      expect(list.cells).toBe(4);
    });
  });
});

describe('memory', () => {
  it('is bounded, and evicts the least recently used lists', async () => {
    const memory = new ListCache(10);
    for (const subject of ['a', 'b', 'c', 'd', 'e']) {
      await keep(memory, subject, (list) => list.keepCount(slice('2026-03-01'), 1));
    }
    await count(memory, 'a');
    await keep(memory, 'f', (list) => list.keepCount(slice('2026-03-01'), 1));
    expect(memory.size).toBe(5);
    expect(await count(memory, 'a')).toBe(1);
    expect(await count(memory, 'b')).toBeUndefined();
  });

  it('is released by a list that shrinks', async () => {
    const memory = new ListCache(10);
    const marks = Array.from({ length: 6 }, (_, n) => String(n));
    await keep(memory, 'a', (list) => list.keepMarks(slice('2026-03-01'), marks));
    await keep(memory, 'a', (list) => list.keepCount(slice('2026-03-01', '2-0'), 1));
    for (const subject of ['b', 'c', 'd', 'e']) {
      await keep(memory, subject, (list) => list.keepCount(slice('2026-03-01'), 1));
    }
    expect(memory.size).toBe(5);
  });

  it('evicts even the only list if that list alone is too large', async () => {
    const memory = new ListCache(3);
    await keep(memory, 'a', (list) => list.keepMarks(slice('2026-03-01'), ['1', '2', '3', '4']));
    expect(memory.size).toBe(0);
  });
});
