import { expect, it } from 'vitest';
import { itemsOfCursor, itemsOfPages } from './pages.ts';

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

it('reads page after page to the last', async () => {
  const pages = [[1, 2], [3, 4], [5]];
  const load = async (page: number) => ({
    data: pages[page - 1] ?? [],
    pagination: { page, total_pages: pages.length },
  });
  expect(await listOf(itemsOfPages(load, (one) => one))).toEqual([1, 2, 3, 4, 5]);
});

it('gives nothing when there is nothing', async () => {
  const load = async (page: number) => ({ data: [], pagination: { page, total_pages: 0 } });
  expect(await listOf(itemsOfPages(load, (one) => one))).toEqual([]);
});

it('gives an item once that moved to the next page because others came in front', async () => {
  let list = [3, 2, 1];
  const load = async (page: number) => {
    const data = list.slice((page - 1) * 2, page * 2);
    const total_pages = Math.ceil(list.length / 2);
    list = page === 1 ? [4, ...list] : list;
    return { data, pagination: { page, total_pages } };
  };
  expect(await listOf(itemsOfPages(load, (one) => one))).toEqual([3, 2, 1]);
});

it('asks only as far as somebody reads', async () => {
  const asked: number[] = [];
  const load = async (page: number) => {
    asked.push(page);
    return { data: [page], pagination: { page, total_pages: 9 } };
  };
  for await (const item of itemsOfPages(load, (one) => one)) if (item === 2) break;
  expect(asked).toEqual([1, 2]);
});

it('follows a cursor until there is none', async () => {
  const pages: Record<string, { data: string[]; next: string | null }> = {
    start: { data: ['a', 'b'], next: 'two' },
    two: { data: [], next: 'three' },
    three: { data: ['c'], next: null },
  };
  const load = async (cursor = 'start') => ({
    data: pages[cursor]?.data ?? [],
    pagination: { next_cursor: pages[cursor]?.next ?? null },
  });
  expect(await listOf(itemsOfCursor(load))).toEqual(['a', 'b', 'c']);
});
